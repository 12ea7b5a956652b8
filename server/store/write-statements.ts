import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Json } from "../../shared/filter/filter.ts";
import type { Field, Table, Values } from "../../shared/model/model.ts";
import { columnName, defaultExpression, fromText, idColumn } from "./columns.ts";
import { preparedText, type Statement, statementOf } from "./prepared-text.ts";

/** What the log shall know of a record's write besides its values. */
interface Note {
  actor: string;
  mutation: string;
  transition?: string;
  reason?: string;
}

/** One record's write, judged and normalised. `row` is the record as it will stand (not for deletes). */
export interface RowWrite {
  kind: "insert" | "update" | "delete";
  table: Table;
  record: string;
  set: Values;
  row: Values;
  note: Note;
}

/**
 * Gathers writes into as few statements as their order allows: neighbours of one kind and table share
 * one, unless they touch the same record. One statement for many records is what makes a group cheap.
 */
export function batchWrites(writes: readonly RowWrite[]): RowWrite[][] {
  const batches: RowWrite[][] = [];
  let seen = new Set<string>();
  for (const write of writes) {
    const last = batches.at(-1);
    const first = last?.[0];
    const joins =
      first?.kind === write.kind &&
      first.table.name === write.table.name &&
      !seen.has(write.record);
    if (last && joins) last.push(write);
    else {
      batches.push([write]);
      seen = new Set();
    }
    seen.add(write.record);
  }
  return batches;
}

/** The setting by which the capture trigger learns who wrote which record of the next statement. */
export function notesStatement(batch: readonly RowWrite[]): Statement {
  const [first] = batch;
  // Who deletes a record also empties the links to it, where they are declared so.
  const others = first?.kind === "delete" ? { "*": first.note } : {};
  const own = Object.fromEntries(batch.map(({ record, note }) => [record, note]));
  const notes = { ...others, ...own };
  // One author for all: said once, because stamps ask for it by the row (stamps.ts).
  const isOne = batch.every(({ note }) => note.actor === first?.note.actor);
  return {
    name: "notes",
    text: `select set_config('watchfloor.notes', $1, true), set_config('watchfloor.by', $2, true),
      set_config('watchfloor.hint', 'own', true)`,
    values: [JSON.stringify(notes), isOne ? (first?.note.actor ?? "") : ""],
  };
}

/**
 * One statement for a batch of equal kind and table. Records that do not set a column that another
 * sets keep what they hold: they are locked, so that is what the database holds too.
 */
export function writeStatement(db: Kysely<unknown>, batch: readonly RowWrite[]): Statement {
  const { kind, table } = batch[0] as RowWrite;
  const ids = batch.map(({ record }) => record);
  if (kind === "delete") {
    const query = sql`delete from ${sql.id(table.name)} where ${sql.id(idColumn)} = any(${ids})`;
    return statementOf(query.compile(db));
  }
  const names = new Set(batch.flatMap(({ set }) => Object.keys(set)));
  const fields = table.fields.filter((field) => names.has(field.name));
  const arrays = fields.map((field) =>
    batch.map(({ row }) => toText(field, row[field.name] ?? null)),
  );
  const shape = `${kind}:${fields.map((field) => field.name).join(",")}`;
  const text = preparedText(table, shape, () => {
    const make = kind === "insert" ? insertText : updateText;
    return make(table, fields).compile(db).sql;
  });
  return { text: text.sql, values: [ids, ...arrays], name: text.name };
}

function insertText(table: Table, fields: readonly Field[]): RawBuilder<unknown> {
  const initial = (field: Field) => {
    const value = fromText(field, sql.id("v", columnName(field)));
    const otherwise = field.automatic ? defaultExpression(table, field) : null;
    return otherwise ? sql`coalesce(${value}, ${otherwise})` : value;
  };
  const columns = [idColumn, ...fields.map(columnName)].map((name) => sql.id(name));
  return sql`insert into ${sql.id(table.name)} (${sql.join(columns)})
    select ${sql.join([sql.id("v", idColumn), ...fields.map(initial)])} from ${unnest(fields)}`;
}

function updateText(table: Table, fields: readonly Field[]): RawBuilder<unknown> {
  const sets = fields.map((field) => {
    const column = sql.id(columnName(field));
    return sql`${column} = ${fromText(field, sql.id("v", columnName(field)))}`;
  });
  return sql`update ${sql.id(table.name)} t set ${sql.join(sets)} from ${unnest(fields)}
    where t.${sql.id(idColumn)} = v.${sql.id(idColumn)}`;
}

/** Parameters as columns of `v`: $1 the ids, then an array of texts per field. */
function unnest(fields: readonly Field[]): RawBuilder<unknown> {
  const names = [idColumn, ...fields.map(columnName)];
  const arrays = names.map((_, index) => sql.raw(`$${index + 1}::text[]`));
  return sql`unnest(${sql.join(arrays)}) as v(${sql.join(names.map((name) => sql.id(name)))})`;
}

function toText({ type }: Field, value: Json): string | null {
  if (value === null) return null;
  return typeof value === "object" || type === "json" ? JSON.stringify(value) : String(value);
}
