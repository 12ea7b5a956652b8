// Covers: client/src/messages
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { importMessages } from "../../client/src/messages/en/import.ts";
import { modelMessages } from "../../client/src/messages/en/model.ts";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import { apiRequest } from "./testing/api-request.ts";
import { visitAs } from "./testing/browser.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  dataTexts,
  formattedTexts,
  languageProblems,
  pseudoText,
  SCREEN,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

/** Sentences that server and shared code compose: plans of the model, filters, and reasons. */
const { browser, product } = await openProduct({
  environment: { WATCHFLOOR_TEMPLATE: "orders-stock" },
});
const known = ["mara", "MV", "UTC"];
let page: Page;

beforeAll(async () => {
  ({ page } = await visitAs(browser, product, owner));
  await usePseudoLanguage(page);
  known.push(...(await dataTexts(page, product)));
  await publishChanges();
  known.push(...(await dataTexts(page, product)));
});

const call = <T>(method: string, path: string, body?: object) =>
  apiRequest<T>(page, product, method, path, body);

/** What is on the screen in plain letters, besides data. */
const plainTexts = () =>
  languageProblems(page, [...known.sort((a, b) => b.length - a.length), ...formattedTexts], SCREEN);

const button = (name: string) => page.getByRole("button", { name: pseudoText(name) });

/** Publishes a version from which the way back to the first one has steps of most kinds, with losses and an obstacle. */
async function publishChanges() {
  const model = await call<Model>("GET", "/model");
  const tableNamed = (name: string) => model.tables.find((one) => one.name === name) as Table;
  const change = (table: Table, name: string, to: Partial<Field>) => {
    table.fields = table.fields.map((field) => (field.name === name ? { ...field, ...to } : field));
  };
  const [orders, products] = [tableNamed("orders"), tableNamed("products")];
  change(products, "stock", { type: "text", default: "0", minimum: undefined });
  change(products, "name", { required: false });
  change(products, "discontinued", { label: "Gone", help: "No longer sold" });
  products.fields = products.fields.filter(({ name }) => name !== "sheet");
  products.fields.push({ name: "checked", label: "Checked", type: "boolean" });
  change(tableNamed("suppliers"), "phone", { name: "telephone" });
  tableNamed("suppliers").columns = ["name"];
  orders.fields.find(({ name }) => name === "state")?.options?.push({ value: "Returned" });
  orders.workflow?.states.push({ value: "Returned", open: false });
  const fields: Field[] = [{ name: "label", label: "Subject", type: "text" }];
  const labels = { name: "audits", label: "Audits", recordLabel: "audit", display: "label" };
  const rest = model.tables.filter(({ name }) => name !== "order_lines");
  const tables = [...rest, { ...labels, fields, columns: ["label"], sort: [] }];
  await call("PUT", "/model?confirm=lossy", { ...model, tables });
  await call("POST", "/tables/audits/records", { values: { label: "First audit" } });
  await call("POST", "/tables/products/records", { values: { sku: "ZZZ-0001", checked: true } });
}

/** A sentence of the interface with another one inside. */
const nested = /⟦[^⟧]*⟦/;

describe("in the pseudo-language", () => {
  it("the steps of a plan are worded, what they would lose, and what prevents them", async () => {
    await page.goto(`${product.url}/admin/model/versions`);
    const versions = page.getByRole("list", { name: pseudoText(modelMessages.versions()) });
    await versions.getByRole("button").last().click();
    await button(modelMessages.restore({ version: 1 })).click();
    await button(modelMessages.review()).click();
    const dialog = page.getByRole("dialog");
    for (const sentence of [
      "Create the table Order lines with 5 fields.",
      "1 record of Audits would be deleted.",
      "Values of Checked in 1 record would be deleted.",
      "Name can't be required yet: 1 record has none.",
      `Discontinued of Products: change ${pseudoText("help")}, ${pseudoText("label")}.`,
    ])
      await dialog.getByText(pseudoText(sentence), { exact: true }).waitFor();
    expect(await plainTexts()).toEqual([]);
  });

  it("filters are worded in rules, and in versions of the model", async () => {
    await page.goto(`${product.url}/admin/model/t/orders/rules`);
    await page.getByRole("tabpanel").getByText(nested).waitFor();
    await page.goto(`${product.url}/admin/model/versions`);
    await page.locator("details summary").first().click();
    await page.locator("details").getByText(nested).first().waitFor();
    expect(await plainTexts()).toEqual([]);
  });

  it("the records to which a right is limited are worded", async () => {
    const filter = { field: "city", op: "eq", value: "Oslo" };
    const grants = { suppliers: { read: true, update: { filter } } };
    const { id: role } = await call<{ id: string }>("POST", "/roles", { name: "Oslo", grants });
    const ida = { email: "ida@example.com", password: "a third long sentence" };
    await call("POST", "/users", { ...ida, name: "Ida", role });
    const { page: limited, leave } = await visitAs(browser, product, ida);
    await usePseudoLanguage(limited);
    await limited.goto(`${product.url}/t/suppliers/supplier-3`);
    const reasons = () =>
      limited
        .getByRole("complementary")
        .locator("[title]")
        .evaluateAll((all) => all.map((one) => one.getAttribute("title")));
    await expect.poll(reasons).toContainEqual(expect.stringMatching(nested));
    await leave();
  });

  it("the reasons why rows of a file are rejected are worded", async () => {
    await page.goto(`${product.url}/import/products`);
    const buffer = Buffer.from("Article number,Name,Price\nCHR-0001,Chair,dear\n");
    const file = { name: "rows.csv", mimeType: "text/csv", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await button(importMessages.preview()).click();
    const download = page.waitForEvent("download");
    await button(importMessages.download()).click();
    const rows = await readFile(await (await download).path(), "utf8");
    const reason = `price “dear”: ${pseudoText("Enter a number.")}`;
    expect(rows.trim().split("\r\n").slice(1)).toEqual([`2,${reason},CHR-0001,Chair,dear`]);
    known.push("rows.csv", "CHR-0001", "Chair", "dear");
    expect(await plainTexts()).toEqual([]);
  });
});
