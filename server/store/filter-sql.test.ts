import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bothDatabases } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { caseKinds, caseRecords, filterCases } from "../../shared/filter/testing/filter-cases.ts";
import type { FieldType } from "../../shared/model/field-types.ts";
import { type Database, openDatabase } from "./database.ts";
import { filterColumns } from "./filter-columns.ts";
import { filterResultSql, sortExpression } from "./filter-sql.ts";
import { identifier } from "./identifiers.ts";
import { type ColumnPlan, FilterTable } from "./testing/filter-table.ts";

const typeOfKind = { list: "multiSelect" } as const;
const casePlan: ColumnPlan = Object.fromEntries(
  Object.entries(caseKinds).map(([name, kind]) => {
    const type: FieldType = kind === "list" ? typeOfKind.list : kind;
    const sqlType = kind === "decimal" ? { sqlType: "numeric" } : {};
    return [name, { type, ...sqlType, indexed: name === "other" }];
  }),
);

/** The query, the indexed field, and the filter. */
const indexedCases: readonly (readonly [string, string, Filter])[] = [
  ["eq of text", "title", { field: "title", op: "eq", value: "New" }],
  ["in of text", "title", { field: "title", op: "in", value: ["New", "b"] }],
  ["gte of text", "title", { field: "title", op: "gte", value: "N" }],
  ["lt of text", "title", { field: "title", op: "lt", value: "N" }],
  ["isEmpty of text", "title", { field: "title", op: "isEmpty" }],
  ["eq of an integer", "count", { field: "count", op: "eq", value: 1 }],
  ["lt of a timestamp", "opened", { field: "opened", op: "lt", value: "2024-03-01T00:00Z" }],
  ["between of dates", "due", { field: "due", op: "between", value: ["2024-01-01", "2024-02-01"] }],
  ["contains of a list", "tags", { field: "tags", op: "contains", value: "x" }],
];

describe.each(bothDatabases)("the filter in SQL, on $name", ({ create }) => {
  let database: Database;
  let table: FilterTable;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const created = await create();
    drop = created.drop;
    const options = { connectionString: created.url, poolSize: 1, onError: () => undefined };
    database = openDatabase(options);
    table = new FilterTable(database.kysely, casePlan);
    await table.fill(Object.entries(caseRecords).map(([id, values]) => ({ id, ...values })));
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  test.each(filterCases)("%s", async (_rule, filter, ids) => {
    expect((await table.idsWhere(filter)).join("")).toBe(ids);
    const expected = Object.keys(caseRecords).map((id) => ids.includes(id));
    expect(await table.results(filter)).toEqual(expected);
  });

  test("F14 values never become part of the statement", () => {
    const columns = filterColumns({ ...emptyTable, fields: [textField('ti.t"le')] }, "r");
    const value = "'; drop table filtered; --";
    const compiled = filterResultSql({ field: 'ti.t"le', op: "eq", value }, columns).compile(
      database.kysely,
    );
    expect(compiled.sql).toBe('((("r"."ti.t""le"::text collate "C") = $1::text) is true)');
    expect(compiled.parameters).toEqual([value]);
  });

  test.each(indexedCases)("F15 an ordinary index serves %s", async (_title, field, filter) => {
    await sql`drop index if exists served`.execute(database.kysely);
    const method = field === "tags" ? sql`gin` : sql`btree`;
    await sql`create index served on filtered using ${method} (${identifier(field)})`.execute(
      database.kysely,
    );
    const plan = await table.explainWhere(filter);
    expect(plan).toContain("served");
    expect(plan).toContain("Index Cond");
  });

  test("F15 one index on the sort expression serves an order and comparisons for equality alike", async () => {
    await sql`drop index if exists served`.execute(database.kysely);
    const expression = sortExpression("other", { expression: identifier("other"), kind: "text" });
    const entry = identifier("watchfloor_entry");
    await sql`create index served on filtered (${expression}, ${entry}, id)`.execute(
      database.kysely,
    );
    const inOrder = await table.explainOrder([{ field: "other", descending: false }]);
    expect(inOrder).toContain("served");
    expect(inOrder).not.toContain("Sort");
    const comparisons: Filter[] = [
      { field: "other", op: "eq", value: "New" },
      { field: "other", op: "in", value: ["New", "b"] },
      { field: "other", op: "isEmpty" },
    ];
    for (const filter of comparisons) {
      const plan = await table.explainWhere(filter);
      expect(plan).toContain("served");
      expect(plan).toContain("Index Cond");
    }
  });
});

const emptyTable = {
  name: "filtered",
  label: "",
  recordLabel: "",
  display: "",
  columns: [],
  sort: [],
};

function textField(name: string) {
  return { name, label: name, type: "text" as const };
}
