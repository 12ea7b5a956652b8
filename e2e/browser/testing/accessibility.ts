import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright";

/** Minified: every page that is checked parses it. */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const standard = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Of its rules, those whose outcome a colour scheme can change. */
const byColour = ["color-contrast", "link-in-text-block"];

/** Rows of a grid and cards of a board are alike: checking each of them takes long and finds nothing more. */
const repeatedElements = [".ag-row:nth-child(n + 5)", "[data-card]:nth-child(n + 5)"];

/**
 * Violations of WCAG 2.2 AA in the page: one line for each rule and element. Checked after all animations
 * have ended: between two colours the contrast is undefined.
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    const isMoving = (animation: Animation) => {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      return animation.playState === "running" && endTime !== Number.POSITIVE_INFINITY;
    };
    // Another colour scheme begins its transitions a frame or two later.
    for (let quiet = 0; quiet < 4; ) {
      await new Promise(requestAnimationFrame);
      quiet = document.getAnimations().some(isMoving) ? 0 : quiet + 1;
    }
  });
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  return page.evaluate(check, { exclude: repeatedElements, tags: standard, byColour });
}

interface Checks {
  exclude: string[];
  tags: string[];
  byColour: string[];
}

/** Runs in the page. What was found right and differs only in its colours is checked for these alone. */
async function check({ exclude, tags, byColour }: Checks): Promise<string[]> {
  const here = globalThis as unknown as { axe: typeof axe; right?: string };
  const structure = `${innerWidth} ${innerHeight} ${document.title} ${document.body.outerHTML}`;
  const runOnly = here.right === structure ? { type: "rule" as const, values: byColour } : tags;
  // Of what passes only the count is computed: naming thousands of elements takes longer than checking them.
  // None of the rules reads the style sheets, whose parsing is about a tenth of the work.
  const preload = { assets: ["media" as const] };
  const options = { runOnly, preload, resultTypes: ["violations" as const] };
  const { violations } = await here.axe.run({ exclude }, options);
  if (violations.length === 0) here.right = structure;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
  );
}
