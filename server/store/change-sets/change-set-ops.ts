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

export type OpStatus = OpOutcome;

/** An op as it is stored: its table and fields by their ids. */
export interface StoredOp {
  n: number;
  tableId: string;
  record: string;
  kind: string;
  op: Record<string, Json>;
  /** Of an op that was made of a row: its key, and the row's line. */
  key?: string | null;
  line?: number;
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

/** Appends ops, or puts them in the places of others. */
export async function writeOps(tx: Db, set: string, ops: readonly StoredOp[]): Promise<void> {
  if (ops.length === 0) return;
  await sql`insert into watchfloor.change_set_op (change_set, n, table_id, record, kind, op, key, line)
    select ${set}, o.* from unnest(${ops.map(({ n }) => n)}::int[],
      ${ops.map(({ tableId }) => tableId)}::text[], ${ops.map(({ record }) => record)}::text[],
      ${ops.map(({ kind }) => kind)}::text[], ${ops.map(({ op }) => exactJsonText(op))}::jsonb[],
      ${ops.map(({ key }) => key ?? null)}::text[], ${ops.map(({ line }) => line ?? null)}::int[]) o
    on conflict (change_set, n) do update set table_id = excluded.table_id, record = excluded.record,
      kind = excluded.kind, op = excluded.op, line = coalesce(excluded.line, change_set_op.line)`.execute(
    tx,
  );
}

/** The place after the last op. Ops may have been taken out before it. */
export async function nextPlace(db: Db, set: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select coalesce(max(n) + 1, 0) as n
    from watchfloor.change_set_op where change_set = ${set}`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function countOps(db: Db, set: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from watchfloor.change_set_op where change_set = ${set}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The ids of the tables that sets have ops on. */
export async function tablesOfSets(db: Db, sets: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct table_id as id
    from watchfloor.change_set_op where change_set = any(${sets}::text[])`.execute(db);
  return rows.map(({ id }) => id);
}

const selected = sql.raw(`o.n, o.table_id as "tableId", o.record, o.kind, o.op, o.status, o.error`);

/** Ops in their order, from a place on. */
export async function readOps(
  db: Db,
  set: string,
  { from, limit }: { from: number; limit: number },
): Promise<TriedOp[]> {
  const { rows } = await sql<TriedOp>`select ${selected} from watchfloor.change_set_op o
    where o.change_set = ${set} and o.n >= ${from} order by o.n limit ${limit}`.execute(db);
  return rows;
}

/** Ops of some kinds, or of all, that have one of these outcomes. */
export interface StoredStatus {
  kinds?: readonly string[];
  outcomes: readonly (OpStatus | null)[];
}

/** The same of what a reader may see. */
export async function readVisibleOps(
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
  const { rows } = await sql<TriedOp>`select ${selected} from watchfloor.change_set_op o
    where o.change_set = ${set} and ${isVisible(scope)} and ${matches} order by o.n
    offset ${offset} limit ${limit}`.execute(db);
  return rows;
}

/** The ops at these places. */
export async function readOpsAt(
  db: Db,
  set: string,
  places: readonly number[],
): Promise<TriedOp[]> {
  const { rows } = await sql<TriedOp>`select ${selected} from watchfloor.change_set_op o
    where o.change_set = ${set} and o.n = any(${places}::int[]) order by o.n`.execute(db);
  return rows;
}

/** How many ops of each kind and status a reader may see. */
export async function countVisibleOps(
  db: Db,
  sets: readonly string[],
  scope: OpScope,
): Promise<{ set: string; kind: string; status: OpStatus | null; count: number }[]> {
  const { rows } = await sql<{
    set: string;
    kind: string;
    status: OpStatus | null;
    count: number;
  }>`select o.change_set as set, o.kind, o.status, count(*)::int as count
    from watchfloor.change_set_op o
    where o.change_set = any(${sets}::text[]) and ${isVisible(scope)}
    group by 1, 2, 3`.execute(db);
  return rows;
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
  return sql<SqlBool>`(${inScope} or
    (o.kind in ('create', 'restore') and not exists (select ${record})))`;
}

/** The next ops, from a place on, that were not tried yet. */
export async function readUntried(
  db: Db,
  set: string,
  { from, limit }: { from: number; limit: number },
): Promise<TriedOp[]> {
  const { rows } = await sql<TriedOp>`select ${selected} from watchfloor.change_set_op o
    where o.change_set = ${set} and o.n >= ${from} and o.status is null
    order by o.n limit ${limit}`.execute(db);
  return rows;
}

/** Deletes the outcomes of the ops, and marks those that are skipped or have nothing to change. */
export async function resetOps(
  tx: Db,
  set: string,
  { skip, unchanged }: { skip: readonly number[]; unchanged: readonly number[] },
): Promise<void> {
  await sql`update watchfloor.change_set_op set error = null, status = null
    where change_set = ${set} and status is not null`.execute(tx);
  const mark = (status: OpStatus, places: readonly number[]) =>
    sql`update watchfloor.change_set_op set status = ${status}
      where change_set = ${set} and n = any(${places}::int[])`.execute(tx);
  await mark("unchanged", unchanged);
  await mark("skipped", skip);
}

/** Stores the outcomes of ops. */
export async function storeOutcomes(
  db: Db,
  set: string,
  outcomes: readonly { n: number; status: OpStatus; error: ErrorBody | null }[],
): Promise<void> {
  const errors = outcomes.map(({ error }) => (error ? exactJsonText(error as Json) : null));
  await sql`update watchfloor.change_set_op o set status = w.status, error = w.error
    from unnest(${outcomes.map(({ n }) => n)}::int[],
      ${outcomes.map(({ status }) => status)}::text[], ${errors}::jsonb[]) w(n, status, error)
    where o.change_set = ${set} and o.n = w.n`.execute(db);
}

/** The ops that were refused, and whether a reader may see each. */
export async function readFailed(
  db: Db,
  set: string,
  scope: OpScope,
  limit: number,
): Promise<(TriedOp & { isVisible: boolean })[]> {
  const { rows } = await sql<TriedOp & { isVisible: boolean }>`
    select ${selected}, (${isVisible(scope)}) is true as "isVisible"
    from watchfloor.change_set_op o
    where o.change_set = ${set} and o.status in ('conflict', 'refused')
    order by o.n limit ${limit}`.execute(db);
  return rows;
}

export async function countApplied(db: Db, set: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from watchfloor.change_set_op where change_set = ${set} and status = 'applied'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether any op that changes something was skipped, refused or not tried. */
export async function hasUnapplied(db: Db, set: string): Promise<boolean> {
  const { rows } = await sql`select from watchfloor.change_set_op
    where change_set = ${set} and coalesce(status, '') not in ('applied', 'unchanged')
    limit 1`.execute(db);
  return rows.length > 0;
}
