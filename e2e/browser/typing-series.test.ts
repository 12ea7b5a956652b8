import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullProof } from "../provision/proof-size.ts";
import { runSeed } from "../provision/test-seed.ts";
import { shrink } from "../typing/shrink-series.ts";
import { openCases, typingCases } from "../typing/typing-cases.ts";
import { randomSeries, type Series } from "../typing/typing-series.ts";
import { TypingWorld } from "../typing/typing-world.ts";
import { leaveBrowser, openBrowser } from "./testing/browser.ts";

/**
 * 2,000 in the long form, in parts. `WATCHFLOOR_SEED=17 SERIES=1 npm run proof -- typing-series` repeats one. About one random series
 * in seventy still fails (the open case, and seed 9843), so that `npm test` plays the cases alone.
 */
const PARTS = isFullProof ? 20 : 0;
const SERIES_PER_PART = Number(process.env.SERIES ?? 100);

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
  it.each(isFullProof ? [...typingCases, ...openCases] : typingCases)(
    "has its place: %s",
    async (_, series) => {
      expect(await world.play(series)).toBeNull();
    },
  );

  it.each(Array.from({ length: PARTS }, (_, part) => runSeed + part * SERIES_PER_PART))(
    "puts every text where it was typed, or lists it as unsaved, from seed %i",
    { timeout: 1_800_000 },
    async (first) => {
      for (let seed = first; seed < first + SERIES_PER_PART; seed += 1)
        await verify(randomSeries(seed));
    },
  );
});
