import { givenSeed } from "../provision/test-seed.ts";

/** Loaded into test workers: the seed that fast-check printed with a failure repeats it (WATCHFLOOR_SEED). */
if (givenSeed !== undefined) {
  const { default: fc } = await import("fast-check");
  fc.configureGlobal({ seed: givenSeed });
}
