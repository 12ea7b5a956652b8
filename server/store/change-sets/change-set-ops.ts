import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter, Json } from "../../../shared/filter/filter.ts";
import { exactJsonText } from "../../../shared/model/exact-json.ts";
import { idOfField, idOfTable, type Table } from "../../../shared/model/model.ts";
import type { OpOutcome } from "../../../shared/protocol/change-sets.ts";
import type { ErrorBody } from "../../../shared/protocol/errors.ts";
import { idColumn } from "../columns.ts";
import type { Db } from "../database.ts";
import { filterColumns } from "../filter-columns.ts";
import { filterSql } from "../filter-sql.ts";
import { execute, hasRow, numberOf, rowsOf } from "../statement.ts";

export type OpStatus = OpOutcome;

/** An op as it is stored: its table and fields by their ids. */
export interface StoredOp {
  n: number;
  tableId: string;
  record: string;
  kind: string;
  op: Record<string, Json>;
  /** Of an op that was made of a row: its key, the row's line, and its cells until the op was applied. Cells are never read with ops. */
  key?: string | null;
  line?: number | null;
  cells?: readonly string[];
}

export interface TriedOp extends StoredOp {
  status: OpStatus | null;
  error: ErrorBody | null;
}

/** What a reader may see of the ops on one table. */
export interface VisibleTable {
  table: Table;
  filter: Filter | null;
  fields: readonly string[];
  seesState: boolean;
}

/** What its author may see of the ops of a set: what they create is theirs before it is there. */
export type OpScope = readonly VisibleTable[];

/** Appends ops, or puts them in the places of others; returns the size of their texts. */
export async function writeOps(tx: Db, set: string, ops: readonly StoredOp[]): Promise<number> {
  if (ops.length === 0) return 0;
  const texts = ops.map(({ op, cells }) =>
    exactJsonText(cells ? { ...op, cells: [...cells] } : op),
  );
  await execute(
    tx,
  )`insert into watchfloor.change_set_op (change_set, n, table_id, record, kind, op, key, line)
    select ${set}, o.* from unnest(${ops.map(({ n }) => n)}::int[],
      ${ops.map(({ tableId }) => tableId)}::text[], ${ops.map(({ record }) => record)}::text[],
      ${ops.map(({ kind }) => kind)}::text[], ${texts}::jsonb[],
      ${ops.map(({ key }) => key ?? null)}::text[], ${ops.map(({ line }) => line ?? null)}::int[]) o
    on conflict (change_set, n) do update set table_id = excluded.table_id, record = excluded.record,
      kind = excluded.kind, op = excluded.op, line = coalesce(excluded.line, change_set_op.line)`;
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Deletes the ops of a set, none of which was applied. */
export async function deleteOps(tx: Db, set: string): Promise<void> {
  await execute(tx)`delete from watchfloor.change_set_op where change_set = ${set}`;
}

/** The place after the last op. Ops may have been taken out before it. */
export function nextPlace(db: Db, set: string): Promise<number> {
  return numberOf(db)`select coalesce(max(n) + 1, 0) as n
    from watchfloor.change_set_op where change_set = ${set}`;
}

export function countOps(db: Db, set: string): Promise<number> {
  return numberOf(db)`select count(*)::int as count
    from watchfloor.change_set_op where change_set = ${set}`;
}

/** The ids of the tables that sets have ops on. */
export async function tablesOfSets(db: Db, sets: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(db)`select distinct table_id as id
    from watchfloor.change_set_op where change_set = any(${sets}::text[])`;
  return rows.map(({ id }) => id);
}

const selected = sql.raw(
  `o.n, o.table_id as "tableId", o.record, o.kind, o.op - 'cells' as op, o.line, o.status, o.error`,
);

/** Ops in their order, from a place on. */
export function readOps(
  db: Db,
  set: string,
  { from, limit }: { from: number; limit: number },
): Promise<TriedOp[]> {
  return rowsOf<TriedOp>(db)`select ${selected} from watchfloor.change_set_op o
    where o.change_set = ${set} and o.n >= ${from} order by o.n limit ${limit}`;
}

/** Ops of some kinds, or of all, that have one of these outcomes. */
export interface StoredStatus {
  kinds?: readonly string[];
  outcomes: readonly (OpStatus | null)[];
}

/** The same of what a reader may see. */
export function readVisibleOps(
  db: Db,
  set: string,
  scope: OpScope,
  page: { offset: number; limit: number; matching?: StoredStatus | undefined },
): Promise<TriedOp[]> {
  const { offset, limit, matching } = page;
  const matches = matching
    ? sql<SqlBool>`coalesce(o.status, '') = any(${matching.outcomes.map((one) => one ?? "")}::text[])
      and o.kind = any(coalesce(${matching.kinds ?? null}::text[], array[o.kind]))`
    : sql<SqlBool>`true`;
  return rowsOf<TriedOp>(db)`select ${selected} from watchfloor.change_set_op o
    where o.change_set = ${set} and ${isVisible(scope)} and ${matches} order by o.n
    offset ${offset} limit ${limit}`;
}

/** The ops at these places. */
export function readOpsAt(db: Db, set: string, places: readonly number[]): Promise<TriedOp[]> {
  return rowsOf<TriedOp>(db)`select ${selected} from watchfloor.change_set_op o
    where o.change_set = ${set} and o.n = any(${places}::int[]) order by o.n`;
}

/** How many ops of each kind and status a reader may see. */
export function countVisibleOps(
  db: Db,
  sets: readonly string[],
  scope: OpScope,
): Promise<{ set: string; kind: string; status: OpStatus | null; count: number }[]> {
  return rowsOf<{
    set: string;
    kind: string;
    status: OpStatus | null;
    count: number;
  }>(db)`select o.change_set as set, o.kind, o.status, count(*)::int as count
    from watchfloor.change_set_op o
    where o.change_set = any(${sets}::text[]) and ${isVisible(scope)}
    group by 1, 2, 3`;
}

/** A record must be readable now; of an update, one of the fields; of a transition, the state. */
function isVisible(tables: OpScope): RawBuilder<SqlBool> {
  const parts = tables.map(({ table, filter, fields, seesState }) => {
    const visible = table.fields.filter(({ name }) => fields.includes(name)).map(idOfField);
    const conditions = [sql<SqlBool>`o.table_id = ${idOfTable(table)}`];
    if (visible.length < table.fields.length) {
      conditions.push(sql<SqlBool>`(o.kind <> 'update' or o.op -> 'set' ?| ${visible}::text[])`);
    }
    if (!seesState) conditions.push(sql<SqlBool>`o.kind <> 'transition'`);
    if (filter) conditions.push(isReadable(table, filter));
    return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
  });
  return parts.length ? sql<SqlBool>`(${sql.join(parts, sql` or `)})` : sql<SqlBool>`false`;
}

function isReadable(table: Table, filter: Filter): RawBuilder<SqlBool> {
  const record = sql`from ${sql.id(table.name)} t where t.${sql.id(idColumn)} = o.record`;
  const inScope = sql<SqlBool>`exists (select ${record}
    and ${filterSql(filter, filterColumns(table, "t"))})`;
  // What an author wrote and what was not applied is theirs, also where its id belongs to a record that they may not read:
  // leaving it out would show them that there is one.
  return sql<SqlBool>`(${inScope} or (o.kind in ('create', 'restore')
    and (o.status is distinct from 'applied' or not exists (select ${record}))))`;
}

/** The next ops, from a place on, that were not tried yet. */
export function readUntried(
  db: Db,
  set: string,
  { from, limit }: { from: number; limit: number },
): Promise<TriedOp[]> {
  return rowsOf<TriedOp>(db)`select ${selected} from watchfloor.change_set_op o
    where o.change_set = ${set} and o.n >= ${from} and o.status is null
    order by o.n limit ${limit}`;
}

/** Deletes the outcomes of the ops, and marks those that are skipped or have nothing to change. */
export async function resetOps(
  tx: Db,
  set: string,
  { skip, unchanged }: { skip: readonly number[]; unchanged: readonly number[] },
): Promise<void> {
  await execute(tx)`update watchfloor.change_set_op set error = null, status = null
    where change_set = ${set} and status is not null`;
  const mark = (status: OpStatus, places: readonly number[]) =>
    sql`update watchfloor.change_set_op set status = ${status}
      where change_set = ${set} and n = any(${places}::int[])`.execute(tx);
  await mark("unchanged", unchanged);
  await mark("skipped", skip);
}

/** Stores the outcomes of ops. What was applied needs the cells of its row no longer. */
export async function storeOutcomes(
  db: Db,
  set: string,
  outcomes: readonly { n: number; status: OpStatus; error: ErrorBody | null }[],
): Promise<void> {
  const errors = outcomes.map(({ error }) => (error ? exactJsonText(error as Json) : null));
  await execute(db)`update watchfloor.change_set_op o set status = w.status, error = w.error,
      op = case when w.error is null then o.op - 'cells' else o.op end
    from unnest(${outcomes.map(({ n }) => n)}::int[],
      ${outcomes.map(({ status }) => status)}::text[], ${errors}::jsonb[]) w(n, status, error)
    where o.change_set = ${set} and o.n = w.n`;
}

/** The ops that were refused, and whether a reader may see each. */
export function readFailed(
  db: Db,
  set: string,
  scope: OpScope,
  limit: number,
): Promise<(TriedOp & { isVisible: boolean })[]> {
  return rowsOf<TriedOp & { isVisible: boolean }>(db)`
    select ${selected}, (${isVisible(scope)}) is true as "isVisible"
    from watchfloor.change_set_op o
    where o.change_set = ${set} and o.status in ('conflict', 'refused')
    order by o.n limit ${limit}`;
}

/** The outcomes of a set's ops, whoever may see them: how many of each, and how many of these were to create a record. */
export function countOutcomes(
  db: Db,
  set: string,
): Promise<{ isNew: boolean; status: OpStatus | null; count: number }[]> {
  return rowsOf<{ isNew: boolean; status: OpStatus | null; count: number }>(db)`
    select kind = 'create' as "isNew", status, count(*)::int as count
    from watchfloor.change_set_op where change_set = ${set} group by 1, 2`;
}

export function countApplied(db: Db, set: string): Promise<number> {
  return numberOf(db)`select count(*)::int as count
    from watchfloor.change_set_op where change_set = ${set} and status = 'applied'`;
}

/** Whether any op that changes something was skipped, refused or not tried. */
export function hasUnapplied(db: Db, set: string): Promise<boolean> {
  return hasRow(db)`select from watchfloor.change_set_op
    where change_set = ${set} and coalesce(status, '') not in ('applied', 'unchanged')
    limit 1`;
}
