import { setTimeout as sleep } from "node:timers/promises";

/**
 * Starts `task` at a fixed rate, whether or not earlier ones have ended, like independent users. Resolves
 * when all have ended.
 */
export async function atRate(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  const started = performance.now();
  const running: Promise<unknown>[] = [];
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = started + (index * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    running.push(task(index));
  }
  await Promise.all(running);
}
