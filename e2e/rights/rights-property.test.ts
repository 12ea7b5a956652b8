import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proofSize } from "../provision/proof-size.ts";
import { runSeed } from "../provision/test-seed.ts";
import { RightsWorld } from "./property/rights-world.ts";
import { playSequence, type Tally } from "./property/sequence.ts";

const SEQUENCES = Number(process.env.SEQUENCES ?? proofSize(50, 2_000));
const MINUTE_MS = 60_000;

describe("random sequences of calls, rights and model changes", () => {
  let world: RightsWorld;
  beforeAll(async () => {
    world = await RightsWorld.open();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it(`let nobody read or write more than the reference allows (seeds from ${runSeed})`, {
    timeout: proofSize(10, 240) * MINUTE_MS,
  }, async () => {
    const tally: Tally = { permitted: {}, refused: {} };
    for (let seed = runSeed; seed < runSeed + SEQUENCES; seed++) {
      await playSequence(world, seed, tally);
    }
    console.info(`seeds ${runSeed} to ${runSeed + SEQUENCES - 1}:`, JSON.stringify(tally));
    // Of every kind of call some are permitted and some are not, or nothing was compared. A few sequences, chosen by hand, show less.
    if (process.env.SEQUENCES) return;
    for (const kind of Object.keys({ ...tally.permitted, ...tally.refused })) {
      const counts = [tally.permitted[kind] ?? 0, tally.refused[kind] ?? 0];
      expect([kind, counts.every((count) => count > 0)]).toEqual([kind, true]);
    }
  });
});
