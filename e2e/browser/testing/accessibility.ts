import axe from "axe-core";
import type { Page } from "playwright";

const standard = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rows of a grid and cards of a board are made alike: judging each of them takes long and tells nothing more. */
const repeatedElements = [".ag-row:nth-child(n + 5)", "[data-card]:nth-child(n + 5)"];

/**
 * What WCAG 2.2 AA has against the page as it stands: one line for each rule and element. Judged when whatever
 * moves has come to its end: half-way between two colours nothing can be said of contrast.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      return animation.playState !== "running" || endTime === Number.POSITIVE_INFINITY;
    }),
  );
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ exclude, tags }) => {
      const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(
        { exclude },
        // Of what passes only the count is worked out: naming thousands of elements takes longer than judging them.
        { runOnly: tags, resultTypes: ["violations"] },
      );
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`,
        ),
      );
    },
    { exclude: repeatedElements, tags: standard },
  );
}
