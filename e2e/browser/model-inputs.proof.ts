// Covers: client/src/features/model client/src/records/settings
import type { Locator } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { addField, addTable, openField, openModel } from "./testing/model-builder.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct({ environment: { WATCHFLOOR_TEMPLATE: "empty" } });
let visitor: Visitor;
beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
});

describe("an input of the model's draft", () => {
  let field: Locator;
  const options = () => field.getByRole("textbox", { name: "Option", exact: true });
  const option = (index: number) => options().nth(index);
  const byDefault = () => field.getByLabel("Default", { exact: true });

  beforeEach(async () => {
    const { page } = visitor;
    await openModel(page, product);
    await addTable(page, "Things");
    field = await addField(page, "Colour", "Choice");
    await expect.poll(() => options().count()).toBe(2);
  });

  it("writes the name that is typed in it before the page goes away", async () => {
    const { page } = visitor;
    await option(1).fill("Typed before a reload");
    await page.reload();
    field = await openField(page, "Colour");
    await expect.poll(() => option(1).inputValue()).toBe("Typed before a reload");
    await option(0).fill("Typed before the screen is left");
    await goTo(page, product, "/activity");
    await page.getByRole("heading", { name: "Activity", exact: true }).waitFor();
    await openModel(page, product);
    field = await openField(page, "Colour");
    await expect.poll(() => option(0).inputValue()).toBe("Typed before the screen is left");
  });

  it("shows the default of the draft after an undo, and when its option is called otherwise", async () => {
    const { page } = visitor;
    const [first = ""] = await options().evaluateAll((all) =>
      all.map((input) => (input as HTMLInputElement).value),
    );
    await byDefault().fill(first);
    await byDefault().press("Enter");
    await option(0).fill("Red");
    await option(0).press("Tab");
    await expect.poll(() => byDefault().inputValue()).toBe("Red");
    await field.getByLabel("Type", { exact: true }).selectOption({ label: "Whole number" });
    await byDefault().fill("5");
    await page.getByRole("button", { name: "Undo the last change of the draft" }).click();
    await expect.poll(() => byDefault().inputValue()).toBe("");
  });
});
