// Covers: client/src/features/grid client/src/records
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, openTable } from "./testing/grid.ts";
import { typePipelined } from "./testing/pipelined-keys.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();
let line: LineProxy;
let visitor: Visitor;
let page: Page;
let round = 0;

const wards = ["East", "ICU", "North", "North 1", "North 2", "South", "Twin", "West"];
const patients = ["Anna Smith", "Jo Hall", "Kim Berg"];
const link = (name: string, label: string, target: string): Field => ({
  name,
  label,
  type: "link",
  target,
});
const bedFields: Field[] = [
  { name: "unit", label: "Unit", type: "text" },
  { name: "name", label: "Name", type: "text" },
  link("ward", "Ward", "wards"),
  link("patient", "Patient", "patients"),
  { name: "nurse", label: "Nurse", type: "person" },
  { name: "size", label: "Size", type: "select", options: [{ value: "S" }, { value: "L" }] },
  { name: "isolated", label: "Isolated", type: "boolean" },
];

function tableOf(name: string, recordLabel: string, fields: Field[], columns: string[]): Table {
  const label = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return { name, label, recordLabel, display: "name", fields, columns, sort: ["name"] };
}

beforeAll(async () => {
  line = await LineProxy.start(Number(new URL(product.url).port));
  visitor = await visitAs(browser, line, owner);
  page = visitor.page;
  const model = await apiRequest<Model>(page, line, "GET", "/model");
  const name: Field = { name: "name", label: "Name", type: "text" };
  const columns = bedFields.map((field) => field.name).filter((one) => one !== "unit");
  const tables = [
    ...model.tables,
    tableOf("wards", "ward", [name], ["name"]),
    tableOf("patients", "patient", [name], ["name"]),
    tableOf("beds", "bed", bedFields, columns),
    tableOf(
      "shelves",
      "shelf",
      [name, { name: "note", label: "Note", type: "longText" }],
      ["name", "note"],
    ),
  ];
  await apiRequest(page, line, "PUT", "/model", { ...model, tables });
  const create = (table: string, record: string, values: object) => ({
    ...{ op: "create", table, record },
    values,
  });
  const ops = [
    ...wards.map((label) => create("wards", `w-${label}`, { name: label })),
    create("wards", "w-Twin too", { name: "Twin" }),
    ...patients.map((label) => create("patients", `p-${label}`, { name: label })),
  ];
  await apiRequest(page, line, "POST", "/mutations", { id: "targets", ops });
});
afterAll(() => line[Symbol.asyncDispose]());

/** Beds of this test alone, in the order of their names, on the screen. */
async function openBeds(count: number, delayMs: number): Promise<string[]> {
  round += 1;
  line.delayMs = 0;
  const ids = Array.from({ length: count }, (_, index) => `bed-${round}-${index}`);
  const ops = ids.map((record, index) => ({
    ...{ op: "create", table: "beds", record },
    values: { unit: `u${round}`, name: `Bed ${index}` },
  }));
  if (count > 0) await apiRequest(page, line, "POST", "/mutations", { id: `beds-${round}`, ops });
  const filter = JSON.stringify({ field: "unit", op: "eq", value: `u${round}` });
  const path = `beds?filter=${encodeURIComponent(filter)}`;
  if (count > 0) await openTable(page, line, path);
  else await goTo(page, line, `/t/${path}`);
  line.delayMs = delayMs;
  return ids;
}

/** The stored beds of this test, by name. */
async function storedBeds(): Promise<WireRecord["values"][]> {
  const filter = encodeURIComponent(
    JSON.stringify({ field: "unit", op: "eq", value: `u${round}` }),
  );
  const path = `/tables/beds/records?sort=name&limit=100&filter=${filter}`;
  const { records } = await apiRequest<{ records: WireRecord[] }>(page, line, "GET", path);
  return records.map(({ values }) => values);
}

const storedOf = async (field: string) =>
  (await storedBeds()).map((values) => values[field] ?? null);
const toReview = () => page.getByRole("button", { name: /to review/ });

const speeds = [
  [0, 0],
  [0, 200],
  [10, 100],
  [90, 0],
  [90, 200],
  // The list of a part of the text comes about when the next key does.
  [130, 0],
] as const;

describe.each(speeds)(
  "a list of choices with a key each %i ms and a server %i ms away",
  (everyMs, delayMs) => {
    it("takes five names that are typed down the column of a link, each in its own cell", async () => {
      const ids = await openBeds(5, delayMs);
      await cell(page, ids[0] ?? "", "ward").click();
      const typed = ["ICU", "north", "South", "East", "North 1"];
      await typePipelined(page, `${typed.join("\n")}\n`, everyMs);
      await expect
        .poll(() => storedOf("ward"))
        .toEqual(["w-ICU", "w-North", "w-South", "w-East", "w-North 1"]);
      await expect.poll(() => storedOf("name")).toEqual(ids.map((_, index) => `Bed ${index}`));
      expect(await toReview().count()).toBe(0);
    });

    it("takes a row of links, a user, an option and yes or no, each in its own cell", async () => {
      const ids = await openBeds(2, delayMs);
      await cell(page, ids[0] ?? "", "name").click();
      const me = await apiRequest<{ user: { id: string; name: string } }>(
        page,
        line,
        "GET",
        "/session",
      );
      const rows = [
        ["A", "ICU", "Jo Hall", me.user.name, "L", "Yes"],
        ["B", "North", "Kim Berg", me.user.name, "S", "No"],
      ];
      await typePipelined(page, `${rows.map((row) => row.join("\t")).join("\n")}\n`, everyMs);
      const nurse = me.user.id;
      await expect.poll(storedBeds).toMatchObject([
        { name: "A", ward: "w-ICU", patient: "p-Jo Hall", nurse, size: "L", isolated: true },
        { name: "B", ward: "w-North", patient: "p-Kim Berg", nurse, size: "S", isolated: false },
      ]);
      expect(await toReview().count()).toBe(0);
    });

    it("creates each record of a series that is begun by the button", async () => {
      await openBeds(2, delayMs);
      await page.getByRole("button", { name: "New bed" }).click();
      const wardsTyped = ["ICU", "North", "East"];
      const rows = wardsTyped.map((ward, index) => `New ${index}\t${ward}\tJo Hall\n`);
      await typePipelined(page, rows.join(""), everyMs);
      const made = ["ICU", "North", "East"].map((ward, index) => ({
        ...{ name: `New ${index}`, ward: `w-${ward}` },
        patient: "p-Jo Hall",
      }));
      await expect.poll(storedBeds).toMatchObject([{ name: "Bed 0" }, { name: "Bed 1" }, ...made]);
    });
  },
);

/** The unsaved texts of the page, with the cells that are marked for them. */
async function discardTexts(...texts: string[]): Promise<void> {
  await page.getByRole("button", { name: `${texts.length} to review` }).click();
  const list = page.getByRole("dialog");
  for (const text of texts) await list.getByText(text, { exact: true }).waitFor();
  for (const _ of texts) await list.getByRole("button", { name: "Discard text" }).first().click();
  await toReview().waitFor({ state: "detached" });
}

describe("a text that the list can't resolve", () => {
  it("becomes unsaved text of its marked cell, and the series goes on", async () => {
    const ids = await openBeds(4, 100);
    await cell(page, ids[0] ?? "", "ward").click();
    await typePipelined(page, "Nowhere\nTwin\nSou\nICU\n", 0);
    await expect.poll(() => storedOf("ward")).toEqual([null, null, "w-South", "w-ICU"]);
    for (const index of [0, 1])
      await cell(page, ids[index] ?? "", "ward")
        .and(page.locator('[data-state="unreadable"]'))
        .waitFor();
    await discardTexts("Nowhere", "Twin");
  });

  it("is offered again in its record, and saved there once it names one", async () => {
    const ids = await openBeds(1, 100);
    await cell(page, ids[0] ?? "", "ward").click();
    await typePipelined(page, "Annex\t", 0);
    await page.getByRole("button", { name: "1 to review" }).click();
    await page.getByRole("dialog").getByRole("link", { name: /Ward/ }).click();
    const values = { name: "Annex" };
    await apiRequest(page, line, "POST", "/tables/wards/records", { record: "w-annex", values });
    await page.getByRole("complementary").getByRole("button", { name: "Save" }).click();
    await expect.poll(() => storedOf("ward")).toEqual(["w-annex"]);
    await toReview().waitFor({ state: "detached" });
  });

  it("that was typed without a connection is saved once there is one and it names one, and is marked until then", async () => {
    const ids = await openBeds(3, 0);
    const marked = (index: number) =>
      cell(page, ids[index] ?? "", "ward").and(page.locator('[data-state="unreadable"]'));
    await cell(page, ids[0] ?? "", "ward").click();
    await page.context().setOffline(true);
    try {
      await typePipelined(page, "ICU\nNowhere\nNorth\n", 0);
      await page.getByRole("button", { name: "3 to review" }).waitFor();
      for (const index of [0, 1, 2]) await marked(index).waitFor();
    } finally {
      await page.context().setOffline(false);
    }
    await expect.poll(() => storedOf("ward")).toEqual(["w-ICU", null, "w-North"]);
    await page.getByRole("button", { name: "1 to review" }).click();
    const listed = page.getByRole("dialog");
    await listed.getByText(/Nothing in the list of Ward is called “Nowhere”/).waitFor();
    await listed.getByRole("link", { name: "Bed 1 · Beds · Ward", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await marked(1).waitFor();
    for (const index of [0, 2]) await marked(index).waitFor({ state: "detached" });
    await discardTexts("Nowhere");
  });

  it("is not lost by a reload before the answer", async () => {
    const ids = await openBeds(2, 0);
    const asked = page.waitForRequest(/wards\/records/);
    // Never answered.
    await page.route(/wards\/records/, () => {});
    await cell(page, ids[1] ?? "", "ward").click();
    await typePipelined(page, "North\n", 0);
    await asked;
    await page.reload();
    await page.unroute(/wards\/records/);
    await discardTexts("North");
    await expect.poll(() => storedOf("ward")).toEqual([null, null]);
  });
});

describe("records one after the other", () => {
  it("are created in a table without any, with the row for new ones below", async () => {
    await openBeds(0, 100);
    await page.getByRole("button", { name: "New bed" }).first().click();
    await page.locator(".ag-full-width-row", { hasText: "New bed" }).waitFor();
    await typePipelined(page, "One\tICU\nTwo\tNorth\n", 0);
    await expect.poll(storedBeds).toMatchObject([
      { name: "One", ward: "w-ICU", patient: null },
      { name: "Two", ward: "w-North", patient: null },
    ]);
  });

  it.each([0, 60])(
    "go on after a long text in the last cell, with a key each %i ms",
    async (everyMs) => {
      await goTo(page, line, "/t/shelves");
      await page.getByRole("button", { name: "New shelf" }).first().click();
      const named = ["One", "Two", "Three"].map((of) => `${of} ${everyMs}`);
      await typePipelined(page, `${named.map((of) => `${of}\tof ${of}`).join("\t")}\n`, everyMs);
      const path = "/tables/shelves/records?sort=name";
      const stored = async () => {
        const { records } = await apiRequest<{ records: WireRecord[] }>(page, line, "GET", path);
        return records.map(({ values }) => [values.name, values.note]);
      };
      for (const of of named) await expect.poll(stored).toContainEqual([of, `of ${of}`]);
    },
  );

  it("go on in the next row after Tab in the last cell, and begin one after the last row", async () => {
    const ids = await openBeds(2, 0);
    await cell(page, ids[0] ?? "", "size").click();
    await typePipelined(page, "L\tYes\tA\tICU\t\t\tS\tNo\tMore\t", 0);
    await expect
      .poll(storedBeds)
      .toMatchObject([
        { name: "A", ward: "w-ICU", size: "S", isolated: false },
        { name: "Bed 0", size: "L", isolated: true },
        { name: "More" },
      ]);
  });
});
