import type { Page } from "playwright";

/** Nothing may become pending for so many frames: a notice may lead to a read, and a read to rows that are drawn. */
const QUIET_FRAMES = 5;
/** Enough on a very busy machine. */
const IDLE_WITHIN_MS = 20_000;

/** What the product publishes on its body (client/src/transport/rest/pending-work.ts). */
type Work = "keys" | "edits" | "reads" | "rows";

/**
 * Waits until the page has nothing to do by itself: every key is handled, every edit answered, every read ended, every row in its
 * place. `except` leaves out what a test does not wait for, such as rows that move some seconds after the last key.
 */
export async function untilIdle(
  page: Page,
  { except = [] }: { except?: readonly Work[] } = {},
): Promise<void> {
  const left = await page.evaluate(waitUntilQuiet, {
    frames: QUIET_FRAMES,
    withinMs: IDLE_WITHIN_MS,
    ignored: except as readonly string[],
  });
  if (left !== "") throw new Error(`The page is not idle: ${left} are pending.`);
}

/** Runs in the page. Returns what was still pending when the time was over, nothing if the page is idle. */
async function waitUntilQuiet(until: {
  frames: number;
  withinMs: number;
  ignored: readonly string[];
}) {
  const due = performance.now() + until.withinMs;
  const pending = () => {
    const { pending: count, pendingWork = "" } = document.body.dataset;
    const work = count === undefined ? ["its first reads"] : pendingWork.split(" ");
    return work.filter((name) => name !== "" && !until.ignored.includes(name));
  };
  for (let quiet = 0; quiet < until.frames; quiet += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (pending().length === 0) continue;
    if (performance.now() > due) return pending().join(", ");
    quiet = -1;
  }
  return "";
}
