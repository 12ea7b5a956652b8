import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatValue } from "../../client/src/records/fields/format-value.ts";
import { inputText, parseInput } from "../../client/src/records/fields/typed-text.ts";
import { operatorsFor } from "../../client/src/records/filter/filter-rows.ts";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import type { ComparisonOp, Json } from "../../shared/filter/filter.ts";
import { compileFilter } from "../../shared/filter/matches.ts";
import { opsByKind } from "../../shared/filter/value-kinds.ts";
import { canHold } from "../../shared/model/can-hold.ts";
import { type FieldType, fieldTypeNames, kindOfType } from "../../shared/model/field-types.ts";
import type { Field } from "../../shared/model/model.ts";
import { normalizeValue } from "../../shared/model/normalize-value.ts";
import { sameValue } from "../../shared/model/same-value.ts";
import { fieldSchema } from "../http/docs/field-schema.ts";
import { readCell, writeCell } from "../import/cell-text.ts";
import { TimeReader } from "../import/read-time.ts";
import { type Database, openDatabase } from "./database.ts";
import { FilterTable, type StoredRecord } from "./testing/filter-table.ts";

/**
 * A type of field is complete: a value of it goes through every place that a value passes and comes back the same. Who adds a type adds
 * a value here (the compiler says so), and what is missing turns red. docs/FIELD-TYPES.md.
 */
const samples: Readonly<Record<FieldType, Exclude<Json, null>>> = {
  text: '=a; "b"',
  longText: "one\ntwo",
  integer: 1_234,
  decimal: "1234.50",
  money: "-0.05",
  percent: "12.50",
  boolean: false,
  date: "2026-02-28",
  timestamp: "2026-02-28T13:30:00+00:00",
  duration: 5_400,
  select: "to do",
  multiSelect: ["done", "to do"],
  person: "ann",
  link: "a/b",
  email: "ann@example.com",
  url: "https://example.com/?a=1",
  phone: "+4930123456",
  json: { a: ["1", null] },
};

function fieldOf(type: FieldType): Field {
  return {
    name: type,
    label: `A ${type}`,
    type,
    ...(type === "money" && { currency: "EUR" }),
    ...(kindOfType[type] === "decimal" && { scale: 2 }),
    options: [{ value: "to do", label: "To do" }, { value: "done" }],
  };
}

const format = { nullText: undefined, decimal: undefined, times: new TimeReader(undefined, "UTC") };

const ID = "r";
let database: Database;
let drop: () => Promise<void>;
let table: FilterTable;
let stored: StoredRecord[];

beforeAll(async () => {
  const created = await anyDatabase.create();
  drop = created.drop;
  database = openDatabase({ connectionString: created.url, poolSize: 1, onError: () => undefined });
  const columns = Object.fromEntries(fieldTypeNames.map((type) => [type, { type }]));
  table = new FilterTable(database.kysely, columns);
  stored = await table.fill([{ id: ID, ...samples }]);
});

afterAll(async () => {
  await database.close();
  await drop();
});

describe.each(fieldTypeNames)("a field of type %s", (type) => {
  const field = fieldOf(type);
  const sample = samples[type];
  const kind = kindOfType[type];

  it("accepts its value as it is stored and sent", () => {
    expect(normalizeValue(field, sample)).toEqual({ ok: true, value: sample });
    expect(canHold(field, sample)).toBe(true);
    expect(sameValue(kind, sample, structuredClone(sample))).toBe(true);
  });

  it("is stored, and read back by readers and by edits", async () => {
    expect(stored[0]?.values[type]).toEqual(sample);
    expect((await table.readForWrite())[0]?.values[type]).toEqual(sample);
  });

  it("is filtered alike by the database and in memory", async () => {
    expect(operatorsFor(field)).toContain("filled");
    for (const op of opsByKind[kind]) {
      const filter = { field: type, op, value: operandOf(op, sample) };
      const isFound = (await table.idsWhere(filter)).length === 1;
      expect(compileFilter(filter, { [type]: kind })(ID, { [type]: sample }), op).toBe(isFound);
    }
    expect(await table.idsWhere({ field: type, op: "isEmpty", value: false })).toEqual([ID]);
  });

  it("is written to a file and read back", () => {
    const read = readCell(field, writeCell(field, sample), format);
    expect(normalizeValue(field, read as Json)).toEqual({ ok: true, value: sample });
  });

  it("is shown, and typed as it is copied", () => {
    expect(formatValue(field, sample)).not.toBe("");
    expect(formatValue(field, null)).toBe("");
    const typed = parseInput(field, inputText(field, sample));
    expect(typed.ok && sameValue(kind, typed.value, sample)).toBe(true);
  });

  it("is described to other programs", () => {
    const { type: described } = fieldSchema(field) as { type?: string[] };
    const isOf = Array.isArray(sample) ? "array" : typeof sample;
    if (kind !== "json") expect(described).toContain(isOf === "number" ? "integer" : isOf);
  });
});

function operandOf(op: ComparisonOp, sample: Json): Json {
  if (op === "isEmpty") return true;
  if (op === "in" || op === "nin") return [sample];
  if (op === "between") return [sample, sample];
  return op === "contains" && Array.isArray(sample) ? (sample[0] ?? null) : sample;
}
