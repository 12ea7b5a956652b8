import { describe, expect, it } from "vitest";
import { proofSize } from "../provision/proof-size.ts";
import { runSeed } from "../provision/test-seed.ts";
import { playSeed } from "./play-seed.ts";
import { type Lane, TestCluster, type TestClusterOptions } from "./test-cluster.ts";
import { RIGHTS_CHECK_INTERVAL_MS } from "./verify-players.ts";

/**
 * `WATCHFLOOR_SEED=17 SEEDS=1 TIMES=100 npm test -- e2e/convergence` repeats one seed, which plays out differently each time, and
 * `WATCHFLOOR_SEED=1000 SEEDS=2000 npm run proof -- e2e/convergence` runs as many others as wanted.
 */
const SEEDS = Number(process.env.SEEDS ?? proofSize(12, 400));
const TIMES = Number(process.env.TIMES ?? 1);
const LANES = 5;
/** Many times the duration of opening a cluster, and of a seed on two busy cores. */
const TIMEOUT_MS = 300_000;
const TIMEOUT_PER_SEED_MS = 20_000;

/** Seeds that once failed, and what of. */
const regressionSeeds: readonly { seed: number; failure: string }[] = [
  { seed: 76, failure: "a record deleted before its create was confirmed came back empty by undo" },
  {
    seed: 35,
    failure: "edits of a record were taken back by a change of rights while its create waited",
  },
];

/** Short enough that a cut is sometimes replayed from memory, sometimes from the log, sometimes not. */
const limits = {
  RING_MAX_CHANGES: "100",
  REPLAY_MAX_CHANGES: "150",
  // Later than any seed is verified: changed rights must become known without this check.
  RIGHTS_CHECK_INTERVAL_MS: String(RIGHTS_CHECK_INTERVAL_MS),
};

/** The seeds of this run on a cluster: a test file each, so that both clusters run in parallel. */
export function converge(
  name: string,
  open: () => Promise<Omit<TestClusterOptions, "lanes">>,
): void {
  const regressions = regressionSeeds.map(({ seed }) => seed);
  const wanted = process.env.SEEDS
    ? range(runSeed, SEEDS)
    : [...regressions, ...range(runSeed, SEEDS)];
  const seeds = Array.from({ length: TIMES }, () => wanted).flat();
  const timeout = TIMEOUT_MS + seeds.length * TIMEOUT_PER_SEED_MS;
  const title = `show what a fresh query shows, every edit happened once, in ${seeds.length} seeds`;
  describe(`several browsers on ${name}`, () => {
    it(title, { timeout }, async () => {
      const lanes = Math.min(LANES, seeds.length);
      await using arena = await TestCluster.open({ environment: limits, ...(await open()), lanes });
      const failures = await playAll(seeds, arena);
      expect(failures.join("\n\n")).toBe("");
    });
  });
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Every lane takes the next seed as soon as it is done with one. */
async function playAll(seeds: readonly number[], arena: TestCluster): Promise<string[]> {
  const failures: string[] = [];
  const next = seeds.values();
  const runLane = async (lane: Lane) => {
    for (const seed of next) {
      await playSeed(seed, arena, lane).catch((error: unknown) => {
        failures.push(
          `seed ${seed} (WATCHFLOOR_SEED=${seed} SEEDS=1 npm test -- e2e/convergence): ${error}`,
        );
      });
    }
  };
  await Promise.all(arena.lanes.map(runLane));
  return failures;
}
