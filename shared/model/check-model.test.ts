import { describe, expect, it } from "vitest";
import { checkModel } from "./check-model.ts";
import type { Field, Model, Table } from "./model.ts";

const field = (changes: Partial<Field> = {}): Field => ({
  name: "title",
  label: "Title",
  type: "text",
  ...changes,
});
const table = (changes: Partial<Table> = {}): Table => ({
  name: "things",
  label: "Things",
  recordLabel: "thing",
  display: "title",
  fields: [field()],
  columns: ["title"],
  sort: [],
  ...changes,
});
const model = (...tables: Table[]): Model => ({ version: 1, tables });
const found = (of: Model) =>
  checkModel(of).map(({ path, message }) => `${path.join(".")}: ${message}`);
const ofField = (changes: Partial<Field>) =>
  found(model(table({ fields: [field(), field({ name: "x", ...changes })] })));

describe("the check of a model", () => {
  it("accepts a plain one", () => {
    expect(checkModel(model(table()))).toEqual([]);
  });

  it.each<[Partial<Field>, string]>([
    [{ type: "link", target: "nowhere" }, "fields.1.target"],
    [{ type: "select" }, "fields.1.options"],
    [{ type: "select", options: [{ value: "a" }, { value: "a" }] }, "fields.1.options.1"],
    [{ type: "integer", minimum: 3, maximum: 2 }, "fields.1.minimum"],
    [{ minimum: 3 }, "fields.1.minimum"],
    [{ pattern: "(" }, "fields.1.pattern"],
    [{ type: "longText", pattern: "(a|b|.)*(.{0,900})x" }, "fields.1.pattern"],
    [{ type: "integer", default: "many" }, "fields.1.default"],
    [{ type: "longText", unique: true }, "fields.1.unique"],
    [{ type: "json", indexed: true }, "fields.1.indexed"],
    [{ derive: { fields: ["gone"], values: {} } }, "fields.1.derive.fields.0"],
    [{ name: "Title" }, "fields.1.name"],
    [{ name: "ｔｉｔｌｅ" }, "fields.1.name"],
    [{ name: "id" }, "fields.1.name"],
    [{ name: "constructor" }, "fields.1.name"],
    [{ name: "-x" }, "fields.1.name"],
    [{ name: "a,b" }, "fields.1.name"],
    [{ name: "a\u0000" }, "fields.1.name"],
    [{ name: "zero\u200bwidth" }, "fields.1.name"],
    [{ id: "title" }, "fields.1.id"],
  ])("reports the place where %j is wrong", (changes, path) => {
    expect(ofField(changes).map((line) => line.split(":")[0])).toContain(`tables.0.${path}`);
  });

  it("accepts names that only look hostile", () => {
    for (const name of [
      'a"b',
      "select",
      "Größe 😀",
      "a'; drop table x --",
      "a.b",
      "a".repeat(120),
    ]) {
      expect(ofField({ name })).toEqual([]);
    }
  });

  it("refuses tables that look alike or whose names Postgres would truncate", () => {
    expect(found(model(table(), table({ name: "Things" })))).toHaveLength(1);
    expect(found(model(table({ name: "ä".repeat(32) })))).toEqual([
      expect.stringContaining("longer than 63 bytes"),
    ]);
  });

  it("refuses references to missing fields", () => {
    const broken = { display: "a", columns: ["b"], sort: ["-c"], idFrom: "d", stateField: "e" };
    expect(found(model(table(broken)))).toHaveLength(5);
  });

  it("validates rules as filters over the table", () => {
    const rules = [{ filter: { field: "gone", op: "eq" as const, value: 1 }, message: "No." }];
    expect(found(model(table({ rules })))).toHaveLength(1);
  });

  it("enforces the limits", () => {
    const fields = Array.from({ length: 3 }, (_, index) => field({ name: `f${index}` }));
    const limits = { TABLE_MAX_FIELDS: 2, MODEL_MAX_TABLES: 0 };
    const large = model(table({ fields, display: "f0", columns: [] }));
    expect(checkModel(large, limits)).toHaveLength(2);
  });
});
