import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullProof, proofSize, someCases } from "../provision/proof-size.ts";
import { runSeed } from "../provision/test-seed.ts";
import { shrink } from "../typing/shrink-series.ts";
import { typingCases } from "../typing/typing-cases.ts";
import { randomSeries, type Series } from "../typing/typing-series.ts";
import { TypingWorld } from "../typing/typing-world.ts";

/** As many as fit 20 seconds; 2,000 in the long form, in four parts. `SERIES=1 WATCHFLOOR_SEED=17` repeats one. */
const SERIES = Number(process.env.SERIES ?? proofSize(5, 500));
const quarters = isFullProof ? [1, 2, 3, 4] : [1];
/** How many series are played side by side: most of one is waiting for the next key. More would make the keys of all late on two cores. */
const WORLDS = proofSize(1, 3);

let worlds: TypingWorld[];
beforeAll(async () => {
  worlds = await Promise.all(Array.from({ length: WORLDS }, () => TypingWorld.open()));
});
afterAll(async () => {
  await Promise.all(worlds.map((world) => world[Symbol.asyncDispose]()));
});

/** Plays series one after the other in each world, all of them, whether or not one fails. Throws what fails, the first one as small as it gets. */
async function playAll(series: Iterable<Series>): Promise<void> {
  const due = series[Symbol.iterator]();
  const failures = new Map<number, string>();
  let smallest = "";
  const playIn = async (world: TypingWorld) => {
    for (let next = due.next(); !next.done; next = due.next()) {
      const failure = await world.play(next.value);
      if (failure === null) continue;
      failures.set(next.value.seed, failure);
      if (failures.size === 1)
        smallest = await shrink(next.value, (candidate) => world.play(candidate));
    }
  };
  await Promise.all(worlds.map(playIn));
  if (failures.size === 0) return;
  const texts = [
    ...failures.values(),
    `The smallest series that fails like the first:\n${smallest}`,
  ];
  throw new Error(
    `Of ${SERIES} series, these fail: ${[...failures.keys()]}.\n\n${texts.join("\n\n")}`,
  );
}

function* seriesFrom(first: number): Iterable<Series> {
  for (let seed = first; seed < first + SERIES; seed += 1) yield randomSeries(seed);
}

describe("typing without waiting for the page", () => {
  it.each(someCases(typingCases))("has its place: %s", async (_, series) => {
    expect(await worlds[0]?.play(series)).toBeNull();
  });

  it.each(quarters.map((quarter) => [runSeed + (quarter - 1) * SERIES, quarter] as const))(
    "puts every text where it was typed, or lists it as unsaved, from seed %i (quarter %i)",
    { timeout: 3_600_000 },
    (first) => playAll(seriesFrom(first)),
  );
});
