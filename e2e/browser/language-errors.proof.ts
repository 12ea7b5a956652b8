// Covers: client/src/messages
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { importMessages } from "../../client/src/messages/en/import.ts";
import { modelMessages } from "../../client/src/messages/en/model.ts";
import { uiMessages } from "../../client/src/messages/en/ui.ts";
import { visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable, recordsShown } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  dataTexts,
  formattedTexts,
  languageProblems,
  pseudoText,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

/** Incidents have more fields: the server refuses every model that contains them, and the page can't know. */
const environment = { TABLE_MAX_FIELDS: "21" };
const { browser, product } = await openProduct({ environment });
let page: Page;

beforeAll(async () => {
  ({ page } = await visitAs(browser, product, owner));
  await page.setViewportSize({ width: 1440, height: 900 });
  await usePseudoLanguage(page);
});

const keys = ["Ctrl", "Alt", "Enter", "Tab", "Esc", "MV"];

/** What is on the screen in plain letters, besides data. */
async function plainTexts(typed: readonly string[] = []): Promise<string[]> {
  const known = [...(await dataTexts(page, product)), ...keys, ...typed, ...formattedTexts];
  return languageProblems(page, known);
}

const button = (name: string) => page.getByRole("button", { name: pseudoText(name) });

describe("in the pseudo-language", () => {
  it("a value that its field does not allow is explained", async () => {
    await openTable(page, product, "groups");
    const [record = ""] = await recordsShown(page);
    await cell(page, record, "email").dblclick();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText(pseudoText("Enter an email address.")).waitFor();
    expect(await plainTexts(["nobody"])).toEqual([]);
    await page.keyboard.press("Escape");
  });

  it("an edit that the server refuses is explained", async () => {
    await makeRecord(page, product, "services", "taken-name", { name: "Taken name" });
    await makeRecord(page, product, "services", "other-name", { name: "Other name" });
    await openTable(page, product, "services?q=name");
    const name = cell(page, "other-name", "name");
    await name.click();
    await page.keyboard.type("Taken name");
    await page.keyboard.press("Enter");
    await name.and(page.locator('[data-state="rejected"]')).waitFor();
    await name.click();
    await page.keyboard.press("Enter");
    const reason = pseudoText("Another service has this name.");
    await page.getByRole("dialog").getByText(reason).waitFor();
    expect(await plainTexts(["name"])).toEqual([]);
    await page.keyboard.press("Escape");
  });

  it("a file that the server refuses is explained", async () => {
    await page.goto(`${product.url}/import/services`);
    const buffer = Buffer.from('Name\n"One"\n"Two\n');
    const file = { name: "rows.csv", mimeType: "text/csv", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await button(importMessages.preview()).click();
    await page.getByRole("main").getByRole("alert").getByText("⟦").waitFor();
    expect(await plainTexts(["rows.csv", "Name", "One", "Two", "UTC", "UTF"])).toEqual([]);
  });

  it("a model that the server refuses is explained", async () => {
    await page.goto(`${product.url}/admin/model`);
    await button(uiMessages.moveDown({ name: "Incidents" })).click();
    await button(modelMessages.review()).click();
    const problem = page.getByRole("dialog").getByRole("alert");
    await problem.getByText(pseudoText("A table has at most 21 fields.")).waitFor();
    expect(await plainTexts()).toEqual([]);
  });
});
