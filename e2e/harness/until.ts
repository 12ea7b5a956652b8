import { setTimeout as sleep } from "node:timers/promises";

/** Short at first; a condition that takes long to come true is not queried all the time. */
const FIRST_INTERVAL_MS = 10;
const LONGEST_INTERVAL_MS = 50;

/** Waits until a condition is true; fails with its description after `withinMs`. */
export async function until<T>(
  what: string,
  withinMs: number,
  condition: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const end = performance.now() + withinMs;
  for (
    let interval = FIRST_INTERVAL_MS;
    ;
    interval = Math.min(LONGEST_INTERVAL_MS, interval * 1.5)
  ) {
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await sleep(interval);
  }
}
