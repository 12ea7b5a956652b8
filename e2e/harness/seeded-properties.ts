import fc from "fast-check";
import { runSeed } from "../provision/test-seed.ts";

/** Loaded into test workers: the seed of the run repeats properties of fast-check, too (WATCHFLOOR_SEED). */
fc.configureGlobal({ seed: runSeed });
