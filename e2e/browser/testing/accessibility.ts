import axe from "axe-core";
import type { Page } from "playwright";

const standard = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rows of a grid and cards of a board are alike: checking each of them takes long and finds nothing more. */
const repeatedElements = [".ag-row:nth-child(n + 5)", "[data-card]:nth-child(n + 5)"];

/**
 * Violations of WCAG 2.2 AA in the page: one line for each rule and element. Checked after all animations
 * have ended: between two colours the contrast is undefined.
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
        // Of what passes only the count is computed: naming thousands of elements takes longer than checking
        // them.
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
