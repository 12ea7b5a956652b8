import { setTimeout as sleep } from "node:timers/promises";

const POLL_INTERVAL_MS = 20;

/** Waits until a condition is true; fails with its description after `withinMs`. */
export async function until<T>(
  what: string,
  withinMs: number,
  condition: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  for (const end = Date.now() + withinMs; ; await sleep(POLL_INTERVAL_MS)) {
    const answer = await condition();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}`);
  }
}
