import { describe, expect, it } from "vitest";
import type { Model, Table } from "../../../../../shared/model/model.ts";
import { findOption } from "../../../../../shared/model/read-text.ts";
import { proposeField, proposeFields, proposeLinks } from "./propose-field.ts";
import { addTableFromFile } from "./table-from-file.ts";

describe("the type of a column of a file", () => {
  it.each([
    ["integer", ["12", "N/A", "14"]],
    ["decimal", ["1.5", "NULL", "2"]],
    ["boolean", ["yes", "?", "no"]],
    ["date", ["2026-03-31", "\\N"]],
    ["date", ["31.03.2026", "#N/A"]],
    ["timestamp", ["2026-03-31T10:00:00Z", "null"]],
    ["email", ["ana@example.com", "N/A"]],
    ["text", ["N/A", "?", "NULL"]],
    ["text", ["a", "N/A"]],
    ["text", ["12", "unknown"]],
    ["boolean", ["ja", "Nein", ""]],
    ["boolean", ["x", "", "X"]],
    ["integer", ["0", "1"]],
    ["text", ["y", "n"]],
    ["text", ["01067", "80331"]],
    ["text", ["+49 30 123", "(030) 123"]],
    ["text", ["741790928812300208", "41790928812300208"]],
    ["decimal", ["741790928812300208.5", "7"]],
    ["decimal", ["-741790928812300208", "7"]],
  ])("is %s where its values are %j: a placeholder says nothing", (type, cells) => {
    expect(proposeField("Column", cells, null)).toMatchObject({ type });
  });

  it("is a selection with a placeholder among its options: no row with it is refused", () => {
    const cells = Array.from({ length: 15 }, (_, n) => ["high", "low", "N/A"][n % 3] as string);
    expect(proposeField("Risk", cells, null)).toEqual({
      type: "select",
      options: [{ value: "high" }, { value: "low" }, { value: "N/A" }],
    });
  });

  it("is a selection of composed options: a file may hold one in several normal forms", () => {
    const cells = Array.from(
      { length: 12 },
      (_, n) => ["\u00c9clair", "E\u0301clair", "Tarte"][n % 3] as string,
    );
    const options = [{ value: "\u00c9clair" }, { value: "Tarte" }];
    expect(proposeField("Cake", cells, null)).toEqual({ type: "select", options });
    expect(findOption({ options }, "E\u0301CLAIR")).toEqual(options[0]);
  });

  it("is an amount where its values name one currency, or a percentage, with as many digits as they have", () => {
    expect(proposeField("Price", ["35.082,57 €", "EUR 7", "-1,5 €"], ",")).toEqual({
      ...{ type: "money", currency: "EUR", scale: 2 },
    });
    expect(proposeField("Price", ["5 €", "$ 7"], ".")).toMatchObject({ type: "text" });
    expect(proposeField("Share", ["42,3 %", "7 %"], ",")).toEqual({ type: "percent", scale: 1 });
    const longitude = ["8.5417123456789", "47.37"];
    expect(proposeField("Lon", longitude, ".")).toEqual({ type: "decimal", scale: 13 });
  });

  it("is shown without thousands separators where its numbers are years, keys or codes", () => {
    for (const [header, cells] of [
      ["Built", ["1987", "2026"]],
      ["EAN", ["4000000000037", "4000000000074", "4000000000037"]],
      ["Number", ["1", "20000"]],
    ] as const)
      expect(proposeField(header, cells, null)).toMatchObject({ type: "integer", ungrouped: true });
    expect(proposeField("Count", ["1987", "12"], null)).toEqual({ type: "integer" });
  });

  it("follows the other columns where its own numbers don't say how fractions are written", () => {
    const columns = [
      ["1.234", "12"],
      ["1,5", "2"],
      ["2,25", "7"],
      ["1’234.50 CHF", "7.00 CHF"],
      ["31.03.2026", "01.04.2026"],
    ];
    const fields = proposeFields(["Count", "Rate", "Part", "Swiss", "Day"], columns);
    const types = fields.map(({ field }) => field.type);
    expect(types).toEqual(["integer", "decimal", "decimal", "money", "date"]);
  });
});

describe("a link for a column of a file", () => {
  const tableOf = (name: string, type: "text" | "integer" = "text"): Table => ({
    ...{ name, label: name, recordLabel: name, display: "name", columns: [], sort: [] },
    fields: [{ name: "name", label: "Name", type }],
  });
  const labels: Record<string, string[]> = {
    groups: ["Network", "Database", "Desktop"],
    sites: ["Network", "Database", "Porto"],
  };
  let calls: (readonly [string, number])[] = [];
  const labelsAmong = async (table: string, texts: readonly string[]) => {
    calls.push([table, texts.length]);
    if (table === "away") throw new Error("The line is down.");
    return new Set(texts.filter((text) => labels[table]?.includes(text)));
  };
  const proposed = async (columns: Record<string, string[]>, tables = ["groups", "sites"]) => {
    calls = [];
    const found = proposeFields(Object.keys(columns), Object.values(columns));
    const all = tables.map((name) => tableOf(name, name === "numbers" ? "integer" : "text"));
    return Object.fromEntries(await proposeLinks(found, all, labelsAmong));
  };
  const titles = ["Printer", "Mail", "Router"];

  it("is proposed where all its values are names in one table", async () => {
    const group = ["Network ", "Desktop", "N/A"];
    expect(await proposed({ title: titles, group })).toEqual({ 1: "groups" });
    const repeated = ["Network", "Desktop"].flatMap((text) => Array(6).fill(text) as string[]);
    expect(proposeField("group", repeated, null).type).toBe("select");
    expect(await proposed({ title: titles, group: repeated })).toEqual({ 1: "groups" });
  });

  it("is not proposed where they are names in several tables, one is in none, or there is one value", async () => {
    expect(await proposed({ title: titles, group: ["Network", "Database"] })).toEqual({});
    expect(await proposed({ title: titles, group: ["Network", "Desktop", "Mars"] })).toEqual({});
    expect(await proposed({ title: titles, group: ["Desktop", "Desktop"] })).toEqual({});
  });

  it("leaves a text that names the records, and keys", async () => {
    expect(await proposed({ group: ["Network", "Desktop"] })).toEqual({});
    expect(await proposed({ title: titles, code: ["Network", "Desktop"] })).toEqual({});
  });

  it("asks each table once, for few values, and none whose names are no texts", async () => {
    const many = Array.from({ length: 500 }, (_, n) => `Value ${n}`);
    const columns = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`c${n}`, many]));
    await proposed({ title: titles, ...columns }, ["groups", "numbers", "away", "sites"]);
    expect(calls.map(([table]) => table)).toEqual(["groups", "away", "sites"]);
    for (const [, texts] of calls) expect(texts).toBeLessThanOrEqual(100);
    const tables = Array.from({ length: 90 }, (_, n) => `t${n}`);
    await proposed({ title: titles, group: ["Network", "Desktop"] }, tables);
    expect(calls.length).toBeLessThanOrEqual(30);
    const long = ["Network", "x".repeat(61)];
    expect(await proposed({ amount: ["1", "2"], long })).toEqual({});
    expect(calls).toEqual([]);
  });

  it("is a text where the draft has lost the table", () => {
    const model: Model = { version: 1, tables: [tableOf("groups")] };
    const fieldFor = (target: string) => {
      const columns = [{ label: "Group", field: { type: "link" as const, target } }];
      return addTableFromFile(model, "new", { label: "Jobs", columns }).tables[1]?.fields[0];
    };
    expect(fieldFor("groups")).toMatchObject({ type: "link", target: "groups" });
    expect(fieldFor("sites")).toMatchObject({ type: "text" });
    expect(fieldFor("sites")).not.toHaveProperty("target");
  });
});
