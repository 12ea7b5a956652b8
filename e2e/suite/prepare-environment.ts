import { runSeed } from "../provision/test-seed.ts";

/** Settings of a running Watchfloor, or of its database, that must not reach its tests. */
const foreign =
  /^(PORT|HOST|DATA_DIR|DATABASE_URL|REDIS_URL|TRUST_PROXY|WATCHFLOOR_(?!SEED$).*|PG[A-Z]+)$/;

/**
 * Prepares the environment of this process, which its workers and tools inherit. Modules of the tests read it when they are loaded: call
 * this before anything else is imported.
 */
export function prepareEnvironment({ isProof }: { isProof: boolean }): void {
  for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];
  Object.assign(process.env, { WATCHFLOOR_SEED: String(runSeed) });
  if (isProof) process.env.WATCHFLOOR_PROOF = "1";
}
