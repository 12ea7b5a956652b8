import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import { exactJsonText } from "../../../shared/model/exact-json.ts";
import type { Db } from "../database.ts";
import { foldedSql } from "../filter-test-sql.ts";
import { identifier } from "../identifiers.ts";
import { execute, rowsOf } from "../statement.ts";
import type { Scrubber } from "./scrubber.ts";

/** How many rows of each kind an erasure has changed or deleted. */
export type Counts = Record<string, number>;

export interface Erasure {
  counts: Counts;
  /** A value was too short to be replaced within longer texts. */
  hasShort: boolean;
}

/** Columns with copies of what users wrote, whatever record or user they concern; the key first. */
const copies = [
  { name: "stored answers", table: "mutation", key: "author || ' ' || id", column: "results" },
  {
    name: "change set ops",
    table: "change_set_op",
    key: "change_set || ' ' || n",
    column: "error",
  },
  { name: "imported files", table: "change_set", key: "id", column: "import" },
  { name: "change set titles", table: "change_set", key: "id", column: "to_jsonb(title)" },
  { name: "comments", table: "comment", key: "id", column: "to_jsonb(text)" },
  { name: "webhook answers", table: "delivery", key: "id", column: "to_jsonb(excerpt)" },
  { name: "security events", table: "security_event", key: "id::text", column: "detail" },
] as const;

/** Users write names in any case there. Everything else holds values as they are stored. */
const OWN_TEXTS = "comments";

/** Replaces the values of the scrubber wherever a copy of them is stored outside records and their history. */
export async function scrubCopies(tx: Db, scrubber: Scrubber): Promise<Counts> {
  const counts: Counts = {};
  for (const copy of copies) {
    const own = copy.name === OWN_TEXTS ? scrubber.ignoringCase() : scrubber;
    counts[copy.name] = await scrubColumn(tx, copy, own);
  }
  counts["rejected rows"] = await scrubRejects(tx, scrubber);
  counts["imported rows"] = await deleteCells(tx, scrubber);
  return counts;
}

async function scrubColumn(
  tx: Db,
  { table, key, column }: (typeof copies)[number],
  scrubber: Scrubber,
): Promise<number> {
  const [of, value] = [identifier("watchfloor", table), sql.raw(column)];
  const rows = await rowsOf<{ key: string; value: Json }>(tx)`
    select ${sql.raw(key)} as key, ${value} as value from ${of}
    where ${holds(sql`${value}::text`, scrubber)}`;
  const name = /^to_jsonb\((\w+)\)$/.exec(column)?.[1];
  for (const row of rows) {
    const json = exactJsonText(scrubber.json(row.value));
    const set = name
      ? sql`${identifier(name)} = ${json}::jsonb #>> '{}'`
      : sql`${identifier(column)} = ${json}::jsonb`;
    await execute(tx)`update ${of} set ${set} where ${sql.raw(key)} = ${row.key}`;
  }
  return rows.length;
}

/** Whether a stored text may contain one of the values. */
function holds(text: RawBuilder<unknown>, { needles, ignoresCase }: Scrubber): RawBuilder<SqlBool> {
  if (!ignoresCase) {
    return sql`exists (select from unnest(${needles}::text[]) needle
      where position(needle in ${text}) > 0)`;
  }
  const found = needles.map(
    (needle) => sql`position(${needle}::text in ${foldedSql(text, needle)}) > 0`,
  );
  return sql`(${sql.join([sql`false`, ...found], sql` or `)})`;
}

/** Ops of files that were not applied hold the cells of their rows, for the case that they are refused. */
function deleteCells(tx: Db, scrubber: Scrubber): Promise<number> {
  return execute(tx)`update watchfloor.change_set_op set op = op - 'cells'
    where exists (select from jsonb_array_elements_text(op -> 'cells') cell
        where cell = any(${scrubber.texts}::text[]))
      or exists (select from unnest(${scrubber.needles}::text[]) needle
        where position(needle in (op -> 'cells')::text) > 0)`;
}

/** Rows of files that were left out hold cells as they were written: with spaces around a value, or within a longer text. */
async function scrubRejects(tx: Db, scrubber: Scrubber): Promise<number> {
  const rows = await rowsOf<{ set: string; line: number; cells: Json[]; errors: Json }>(tx)`
    select change_set as set, line, cells, errors from watchfloor.change_set_reject
    where exists (select from jsonb_array_elements_text(cells) cell
        where cell = any(${scrubber.texts}::text[]))
      or exists (select from unnest(${scrubber.needles}::text[]) needle
        where position(needle in concat(cells, errors)) > 0)`;
  for (const { set, line, cells, errors } of rows) {
    const reject = tx.updateTable("watchfloor.change_set_reject").where("change_set", "=", set);
    const scrubbed = {
      cells: exactJsonText(scrubber.json(cells)),
      errors: exactJsonText(scrubber.json(errors)),
    };
    await reject.where("line", "=", line).set(scrubbed).execute();
  }
  return rows.length;
}
