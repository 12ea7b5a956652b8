import { type RawBuilder, sql } from "kysely";
import type { Json } from "../../shared/filter/filter.ts";
import { exactJsonText } from "../../shared/model/exact-json.ts";
import type { Field, Table, Values } from "../../shared/model/model.ts";
import type { Origin } from "../../shared/protocol/record.ts";
import { defaultExpression, fromText, nextEntry } from "./columns.ts";
import type { Db } from "./database.ts";
import { columnRef, entryRef, identifier, idRef, tableRef } from "./identifiers.ts";
import { preparedText, type Statement } from "./prepared-text.ts";

/** What the log records of a record's write besides its values. */
export interface Note {
  actor: string;
  mutation: string;
  origin?: Origin;
  changeSet?: string;
  transition?: string;
  reason?: string;
}

/** One record's write, validated and normalised. Only the fields of `set` are written. */
export interface RowWrite {
  kind: "insert" | "update" | "delete";
  table: Table;
  record: string;
  set: Values;
  /**
   * The record afterwards; of a delete, the record before it. Never written: the store may hold more than it
   * shows.
   */
  row: Values;
  /** An insert: its number in the order of entry, of a record that is restored; by default the next one. */
  entry?: number;
  note: Note;
  /**
   * It takes a unique value that an earlier write gives up: within one statement Postgres may check it too
   * early.
   */
  followsOthers?: boolean;
}

/**
 * Combines writes into as few statements as their order allows: neighbours of one kind and table share one,
 * unless they touch the same record. One statement for many records is what makes a group cheap.
 */
export function batchWrites(writes: readonly RowWrite[]): RowWrite[][] {
  const batches: RowWrite[][] = [];
  let writtenRecords = new Set<string>();
  for (const write of writes) {
    const last = batches.at(-1);
    const first = last?.[0];
    const joins =
      first?.kind === write.kind &&
      first.table.name === write.table.name &&
      !write.followsOthers &&
      !writtenRecords.has(write.record);
    if (last && joins) last.push(write);
    else {
      batches.push([write]);
      writtenRecords = new Set();
    }
    writtenRecords.add(write.record);
  }
  return batches;
}

/** The values of `settings`: who wrote which record of the batch. */
function notesOf(batch: readonly RowWrite[]): string[] {
  const [first] = batch;
  // A delete also empties the links to the record, if they are declared so.
  const others = first?.kind === "delete" ? { "*": first.note } : {};
  const own = Object.fromEntries(batch.map(({ record, note }) => [record, note]));
  const notes = { ...others, ...own };
  // One author for all: set once, because stamps read it for each row (stamps.ts).
  const isOne = batch.every(({ note }) => note.actor === first?.note.actor);
  return [JSON.stringify(notes), isOne ? (first?.note.actor ?? "") : ""];
}

/**
 * Joined to the rows of a write, so that the triggers learn from the settings who wrote which record: evaluated before
 * the first row is written. Parameters: `notesOf`, from number `first`.
 */
const settings = (first: number) =>
  sql.raw(`num_nulls(set_config('watchfloor.notes', $${first}, true),
    set_config('watchfloor.by', $${first + 1}, true)) as settings`);

/**
 * One statement for a batch of equal kind and table. If the records set different fields, a mask for each
 * record says which: any other column is unchanged (an insert: gets its default).
 */
export function writeStatement(db: Db, batch: readonly RowWrite[]): Statement {
  const { kind, table } = batch[0] as RowWrite;
  const ids = batch.map(({ record }) => record);
  const notes = notesOf(batch);
  if (kind === "delete") {
    const text = preparedText(table, kind, () => deleteText(table).compile(db).sql);
    return { text: text.sql, values: [ids, ...notes], name: text.name };
  }
  const names = new Set(batch.flatMap(({ set }) => Object.keys(set)));
  const fields = table.fields.filter((field) => names.has(field.name));
  const arrays = fields.map((field) =>
    batch.map(({ set }) => toText(field, set[field.name] ?? null)),
  );
  const isMasked = batch.some(({ set }) => Object.keys(set).length < fields.length);
  const masks = batch.map(({ set }) => fields.map(({ name }) => (name in set ? 1 : 0)).join(""));
  const isNumbered = batch.some(({ entry }) => entry !== undefined);
  const columns = { fields, isMasked, isNumbered };
  const marks = `${isMasked ? "?" : ""}${isNumbered ? "#" : ""}`;
  const shape = `${kind}${marks}:${fields.map((field) => field.name).join(",")}`;
  const text = preparedText(table, shape, () => {
    const make = kind === "insert" ? insertText : updateText;
    return make(table, columns).compile(db).sql;
  });
  const entries = batch.map(({ entry }) => (entry === undefined ? null : String(entry)));
  const values = [
    ids,
    ...arrays,
    ...(isMasked ? [masks] : []),
    ...(isNumbered ? [entries] : []),
    ...notes,
  ];
  return { text: text.sql, values, name: text.name };
}

function deleteText(table: Table): RawBuilder<unknown> {
  const id = idRef("t");
  return sql`delete from ${tableRef(table)} t using ${settings(2)} where ${id} = any(${sql.raw("$1")}::text[])`;
}

/** What the parameters of a statement are: the ids, an array for each field, then the masks and the numbers of entry, if there are any. */
interface Columns {
  fields: readonly Field[];
  isMasked: boolean;
  isNumbered: boolean;
}

/** The records get their numbers in the order of the batch, because Postgres inserts them in that of the parameters. */
function insertText(table: Table, columns: Columns): RawBuilder<unknown> {
  const { fields, isMasked, isNumbered } = columns;
  const names = [idRef(), ...fields.map((field) => columnRef(field))];
  const values = fields.map((_, index) => {
    const initial = defaultExpression(table, fields[index] as Field) ?? sql`null`;
    return valueFor(fields, index, isMasked, initial);
  });
  if (isNumbered) {
    names.push(entryRef());
    values.push(sql`coalesce(${parameter(countOf(columns) - 1)}::bigint, ${nextEntry(table)})`);
  }
  return sql`insert into ${tableRef(table)} (${sql.join(names)})
    select ${sql.join([parameter(0), ...values])} from ${unnest(columns)}`;
}

function updateText(table: Table, columns: Columns): RawBuilder<unknown> {
  const { fields, isMasked } = columns;
  const sets = fields.map((field, index) => {
    const column = columnRef(field);
    return sql`${column} = ${valueFor(fields, index, isMasked, sql`t.${column}`)}`;
  });
  return sql`update ${tableRef(table)} t set ${sql.join(sets)} from ${unnest(columns)}
    where ${idRef("t")} = ${parameter(0)}`;
}

/** The new value of a record's column; `otherwise` if its mask says that it is not set. */
function valueFor(
  fields: readonly Field[],
  index: number,
  isMasked: boolean,
  otherwise: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const value = fromText(fields[index] as Field, parameter(index + 1));
  if (!isMasked) return value;
  const isSet = sql`substr(${parameter(fields.length + 1)}, ${sql.lit(index + 1)}, 1) = '1'`;
  return sql`case when ${isSet} then ${value} else ${otherwise} end`;
}

const parameter = (index: number) => identifier("v", `p${index}`);

const countOf = ({ fields, isMasked, isNumbered }: Columns) =>
  1 + fields.length + Number(isMasked) + Number(isNumbered);

/** Parameters as columns of `v`, in the order of `Columns`; and the settings. */
function unnest(columns: Columns): RawBuilder<unknown> {
  const count = countOf(columns);
  const indexes = Array.from({ length: count }, (_, index) => index);
  const arrays = indexes.map((index) => sql.raw(`$${index + 1}::text[]`));
  const names = indexes.map((index) => identifier(`p${index}`));
  return sql`unnest(${sql.join(arrays)}) as v(${sql.join(names)}), ${settings(count + 1)}`;
}

function toText({ type }: Field, value: Json): string | null {
  if (value === null) return null;
  return typeof value === "object" || type === "json" ? exactJsonText(value) : String(value);
}
