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

  it("replaces what a new option is called for now, and makes an option of each line of a pasted list", async () => {
    const { page } = visitor;
    const values = () =>
      options().evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value));
    const [first = "", second = ""] = await values();
    await field.getByRole("button", { name: "Add option" }).click();
    await expect.poll(() => options().count()).toBe(3);
    await page.keyboard.type("Surgery");
    await page.keyboard.press("Enter");
    await expect.poll(values).toEqual([first, second, "Surgery", expect.any(String)]);
    const list = "Cardiology\nNeurology\r\n\r\nSurgery\nICU\n";
    await option(3).evaluate((input, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      const paste = { clipboardData, bubbles: true, cancelable: true };
      input.dispatchEvent(new ClipboardEvent("paste", paste));
    }, list);
    const all = [first, second, "Surgery", "Cardiology", "Neurology", "ICU"];
    await expect.poll(values).toEqual(all);
  });

  it("writes the name of a state that is typed while a transition is drawn", async () => {
    const { page } = visitor;
    await page.getByRole("tab", { name: "Workflow" }).click();
    await page.getByRole("button", { name: "Start with three states" }).click();
    await page.getByText("Diagram", { exact: true }).click();
    const states = page.locator("[data-state]");
    await states.nth(1).getByRole("button").click();
    await page.getByRole("textbox", { name: "State name", exact: true }).fill("In care");
    await states.nth(1).locator('[title^="Draw"]').hover();
    await page.mouse.down();
    await states.nth(0).hover();
    await page.mouse.up();
    await states.nth(1).getByText("In care", { exact: true }).waitFor();
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
