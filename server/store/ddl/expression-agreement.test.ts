import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../../e2e/provision/databases.ts";
import { proofSize } from "../../../e2e/provision/proof-size.ts";
import { checkExpression } from "../../../shared/model/expression/check-expression.ts";
import { withComputedValues } from "../../../shared/model/expression/compute-values.ts";
import {
  expressionCases,
  tableWith,
} from "../../../shared/model/expression/testing/expression-cases.ts";
import type { Field, Table, Values } from "../../../shared/model/model.ts";
import { documentExpression } from "../columns.ts";
import { type Database, type Db, openDatabase } from "../database.ts";
import { identifier, tableRef } from "../identifiers.ts";
import { computedField, readFields, readValues } from "../testing/expression-arbitraries.ts";
import { createTable } from "./field-ddl.ts";

const EXPRESSIONS = 40;
const RECORDS = 25;
const RUNS = proofSize(4, 200);

/** Inserts records into a fresh table by plain SQL, as any program might, and reads their wire values. */
async function stored(db: Db, table: Table, records: Values[]) {
  await sql`drop table if exists ${tableRef(table)}`.execute(db);
  for (const statement of createTable(table)) await statement.execute(db);
  const filled = table.fields.filter(({ expression }) => expression === undefined);
  const columns = sql.join(
    ["id", ...filled.map(({ name }) => name)].map((name) => identifier(name)),
  );
  const rows = records.map((record, index) => ({ ...record, id: String(index + 1) }));
  await sql`insert into ${tableRef(table)} (${columns}) select ${columns}
    from jsonb_populate_recordset(null::${tableRef(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
  const found = await sql<{ id: string; values: Values }>`
    select t.id, ${documentExpression(table, "t")} as values
    from ${tableRef(table)} t order by t.id::int`.execute(db);
  return found.rows;
}

describe.each(databases)("a computed field on $name", ({ create }) => {
  let database: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const created = await create();
    drop = created.drop;
    database = openDatabase({ connectionString: created.url, poolSize: 1, onError: () => {} });
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  it("equals the table of cases", async () => {
    for (const { type, expression, values, result } of expressionCases) {
      const table = tableWith({ type, expression });
      const [row] = await stored(database.kysely, table, [values]);
      expect(row?.values.x, expression).toEqual(result);
    }
  });

  // Seeds 198240607, -84971599 and 777910 of the randomised test below: constants were compared before their
  // collation was known.
  it("may read a text that was computed from constants alone", async () => {
    const tag = { type: "text" as const, expression: `"a'b"` };
    const isTag = { type: "boolean" as const, expression: `x0 = "a'b"` };
    const joined = { ...tag, expression: '"a" & "b"' };
    const first = { ...tag, expression: 'first("a", title)' };
    const numbers = { ...tag, expression: "100 & 2.5" };
    const drawn = [tag, { ...tag, expression: "title" }, isTag, joined, first, tag, numbers];
    const table = tableOf(drawn);
    const records = [{ title: "New" }, {}] as Values[];
    const found = await stored(database.kysely, table, records);
    expect(found[0]?.values).toMatchObject({
      x1: "a'b",
      x2: true,
      x3: "ab",
      x5: "a",
      x6: "1002.5",
    });
    expect(found.map(({ id, values }) => withComputedValues(table, id, values))).toEqual(
      found.map(({ values }) => values),
    );
  });

  it(
    "is the same in memory, for random expressions over any stored values",
    async () => {
      const property = fc.asyncProperty(
        fc.array(computedField, { minLength: EXPRESSIONS, maxLength: EXPRESSIONS }),
        fc.array(readValues, { minLength: RECORDS, maxLength: RECORDS }),
        async (drawn, records) => {
          const table = tableOf(drawn);
          for (const { id, values } of await stored(database.kysely, table, records as Values[])) {
            expect(withComputedValues(table, id, values)).toEqual(values);
          }
        },
      );
      await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
    },
    60_000 + RUNS * 5_000,
  );
});

/** The first half reads fields that users fill, the second half also computed ones. */
function tableOf(drawn: Pick<Field, "type" | "expression" | "scale">[]): Table {
  const table: Table = {
    name: "computed field",
    label: "",
    recordLabel: "",
    display: "title",
    fields: [...readFields],
    columns: [],
    sort: [],
  };
  for (const [index, field] of drawn.entries()) {
    const name = `x${index}`;
    const repeated =
      index % 2 === 1 && field.type !== "boolean" && field.type === drawn[index - 1]?.type;
    const expression = repeated ? `first(x${index - 1}, ${field.expression})` : field.expression;
    table.fields.push({ ...field, name, label: name, expression: expression ?? "" });
  }
  const sound = table.fields.filter((field) => checkExpression(field, table) === null);
  expect(sound.length).toBeGreaterThan(readFields.length + drawn.length / 2);
  const names = new Set(sound.map(({ name }) => name));
  const reads = (field: Field) => /^first\((x\d+),/.exec(field.expression ?? "")?.[1];
  return { ...table, fields: sound.filter((field) => names.has(reads(field) ?? field.name)) };
}
