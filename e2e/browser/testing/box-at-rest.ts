import { isDeepStrictEqual } from "node:util";
import type { Locator } from "playwright";

/** Where an element is, once it does not move any more: others may still be drawn before it. */
export async function boxAtRest(at: Locator) {
  for (let before = await at.boundingBox(); ; ) {
    await at.page().evaluate(() => new Promise(requestAnimationFrame));
    const now = await at.boundingBox();
    if (now && isDeepStrictEqual(now, before)) return now;
    before = now;
  }
}
