import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullProof, proofSize, someCases } from "../provision/proof-size.ts";
import { runSeed } from "../provision/test-seed.ts";
import { shrink } from "../typing/shrink-series.ts";
import { typingCases } from "../typing/typing-cases.ts";
import { randomSeries, type Series } from "../typing/typing-series.ts";
import { TypingWorld } from "../typing/typing-world.ts";
import { leaveBrowser, openBrowser } from "./testing/browser.ts";

/** As many as fit 20 seconds; 2,000 in the long form, in four parts. `SERIES=1 WATCHFLOOR_SEED=17` repeats one. */
const SERIES = Number(process.env.SERIES ?? proofSize(5, 500));
const quarters = isFullProof ? [1, 2, 3, 4] : [1];

let world: TypingWorld;
beforeAll(async () => {
  world = await TypingWorld.open();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await leaveBrowser(await openBrowser());
});

async function verify(series: Series): Promise<void> {
  const failure = await world.play(series);
  if (failure === null) return;
  throw new Error(
    `${failure}\n\nThe smallest series that fails:\n${await shrink(series, (candidate) => world.play(candidate))}`,
  );
}

describe("typing without waiting for the page", () => {
  it.each(someCases(typingCases))("has its place: %s", async (_, series) => {
    expect(await world.play(series)).toBeNull();
  });

  it.each(quarters.map((quarter) => [runSeed + (quarter - 1) * SERIES, quarter] as const))(
    "puts every text where it was typed, or lists it as unsaved, from seed %i (quarter %i)",
    { timeout: 3_600_000 },
    async (first) => {
      for (let seed = first; seed < first + SERIES; seed += 1) await verify(randomSeries(seed));
    },
  );
});
