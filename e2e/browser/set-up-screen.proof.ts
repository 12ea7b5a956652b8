// Covers: client/src/features/setup client/src/features/sign-in
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visit } from "./testing/browser.ts";
import { openProduct } from "./testing/product.ts";
import { languageProblems, sharedTexts, usePseudoLanguage } from "./testing/pseudo-language.ts";

const { browser, product } = await openProduct({ withOwner: false });

/** The printed link, on the address under which the browser reaches the product. */
function printedLink(): string {
  if (!product.setupLink) throw new Error("The product has an owner already.");
  return product.setupLink;
}

describe("the screen of the set-up", () => {
  it("is without accessibility problems, on light and dark, wide and narrow", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, leave } = await visit(browser, {
        colorScheme,
        viewport: { width: colorScheme === "dark" ? 360 : 1440, height: 900 },
      });
      await page.goto(printedLink());
      await page.getByLabel("Your name").waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      const overflows = "document.documentElement.scrollWidth > innerWidth";
      expect(await page.evaluate(overflows)).toBe(false);
      await leave();
    }
  });

  it.each([390, 1440])("is shown in any language, at %d px", async (width) => {
    const { page, leave } = await visit(browser, { viewport: { width, height: 900 } });
    await usePseudoLanguage(page);
    await page.goto(printedLink());
    await page.getByRole("radio").first().waitFor();
    expect(await languageProblems(page, [...sharedTexts, "Watchfloor"])).toEqual([]);
    await page.goto(new URL(printedLink()).origin);
    await page.locator("pre").waitFor();
    expect(await languageProblems(page, ["Watchfloor", /http:.*/])).toEqual([]);
    await leave();
  });
});
