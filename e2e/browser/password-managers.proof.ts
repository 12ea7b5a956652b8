// Covers: client/src/ui client/src/records/fields client/src/features/me
import type { Page } from "playwright";
import { expect, it } from "vitest";
import { screens } from "../screenshots/screens.ts";
import { waitUntilComplete } from "../screenshots/take.ts";
import { visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";

/** What a password manager fills into an input of a record is stored when the focus leaves it. */

const { browser, product } = await openProduct();
const { page } = await visitAs(browser, product, owner);

/** The inputs that neither keep password managers out nor say what they are to fill in. */
const unmarkedInputs = (shown: Page) =>
  shown.locator("input, textarea").evaluateAll((inputs) => {
    const marks = ["data-1p-ignore", "data-bwignore", "data-lpignore", "data-form-type"];
    const isTyped = (input: Element) =>
      !/^(checkbox|radio|hidden|file|color|range|date|datetime-local|password)$/.test(
        (input as HTMLInputElement).type,
      ) && !(input as HTMLInputElement).readOnly;
    const saysWhat = (input: Element) =>
      !["off", "", null].includes(input.getAttribute("autocomplete"));
    return inputs
      .filter((input) => isTyped(input) && !saysWhat(input))
      .filter((input) => !marks.every((mark) => input.hasAttribute(mark)))
      .map(({ outerHTML }) => outerHTML);
  });

it("leave the editor of a cell, the search and the fields of a filter alone", async () => {
  await openTable(page, product, "incidents");
  await page.getByRole("searchbox").first().waitFor();
  await page.locator('.ag-row[row-index="0"] [col-id="title"]').first().click();
  await page.keyboard.press("Enter");
  await page.locator(".ag-row input[data-1p-ignore]").waitFor();
  await expect.poll(() => unmarkedInputs(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("dialog").locator("input").first().waitFor();
  await expect.poll(() => unmarkedInputs(page)).toEqual([]);
  await page.keyboard.press("Escape");
});

it.each(["record", "comments", "roles", "users", "fields", "workflow", "me"])(
  "leave the inputs of the screen %s alone",
  async (name) => {
    await goTo(page, product, screens[name] ?? "");
    await waitUntilComplete(page);
    await expect.poll(() => unmarkedInputs(page)).toEqual([]);
  },
);

it("know whose password is changed", async () => {
  await goTo(page, product, screens.me ?? "");
  const form = page.locator("form").filter({ has: page.getByLabel("Current password") });
  const name = form.locator("input[autocomplete=username]");
  await expect.poll(() => name.inputValue()).toBe(owner.email);
});
