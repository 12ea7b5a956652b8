import type { Page } from "playwright";

/** Nothing may become pending for so many frames: a notice may lead to a read, and a read to rows that are drawn. */
const QUIET_FRAMES = 5;

/** What the product publishes on its body (client/src/state/pending-work.ts). */
type Work = "keys" | "edits" | "reads" | "rows";

/**
 * Waits until the page has nothing to do by itself: every key is handled, every edit answered, every read ended, every row in its
 * place. `except` leaves out what a test does not wait for, such as rows that move some seconds after the last key.
 */
export async function settled(
  page: Page,
  { except = [] }: { except?: readonly Work[] } = {},
): Promise<void> {
  await page.waitForFunction(
    async ([frames, ignored]) => {
      const isBusy = () => {
        const { pending, pendingWork = "" } = document.body.dataset;
        const work = pendingWork.split(" ").filter((name) => name !== "");
        return pending === undefined || work.some((name) => !ignored.includes(name));
      };
      for (let quiet = 0; quiet < frames; quiet += 1) {
        if (isBusy()) return false;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return !isBusy();
    },
    [QUIET_FRAMES, except as readonly string[]] as const,
  );
}
