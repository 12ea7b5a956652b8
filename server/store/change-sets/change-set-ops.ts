import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Filter, Json } from "../../../shared/filter/filter.ts";
import { exactJsonText } from "../../../shared/model/exact-json.ts";
import { idOfField, idOfTable, type Table } from "../../../shared/model/model.ts";
import type { OpOutcome } from "../../../shared/protocol/change-sets.ts";
import type { ErrorBody } from "../../../shared/protocol/errors.ts";
import type { Db } from "../database.ts";
import { filterColumns } from "../filter-columns.ts";
import { filterSql } from "../filter-sql.ts";
import { idRef, tableRef } from "../identifiers.ts";
import { anyOf, countOf, execute, exists, rowCount } from "../statement.ts";

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
  await tx.deleteFrom("watchfloor.change_set_op").where("change_set", "=", set).execute();
}

/** The place after the last op. Ops may have been taken out before it. */
export function nextPlace(db: Db, set: string): Promise<number> {
  const next = sql<number>`coalesce(max(n) + 1, 0)`.as("count");
  return countOf(opsOf(db, set).select(next));
}

export function countOps(db: Db, set: string): Promise<number> {
  return countOf(opsOf(db, set).select(rowCount));
}

const opsOf = (db: Db, set: string) =>
  db.selectFrom("watchfloor.change_set_op as o").where("o.change_set", "=", set);

/** The ids of the tables that sets have ops on. */
export async function tablesOfSets(db: Db, sets: readonly string[]): Promise<string[]> {
  const ops = db.selectFrom("watchfloor.change_set_op").where("change_set", "=", anyOf(sets));
  const rows = await ops.select("table_id as id").distinct().execute();
  return rows.map(({ id }) => id);
}

const triedOps = (db: Db, set: string) =>
  opsOf(db, set)
    .select(["o.n", "o.table_id as tableId", "o.record", "o.kind", "o.line", "o.status", "o.error"])
    .select(sql<TriedOp["op"]>`o.op - 'cells'`.as("op"))
    .orderBy("o.n");

/** Ops in their order, from a place on. */
export function readOps(
  db: Db,
  set: string,
  { from, limit }: { from: number; limit: number },
): Promise<TriedOp[]> {
  return triedOps(db, set).where("o.n", ">=", from).limit(limit).execute();
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
  let ops = triedOps(db, set).where(isVisible(scope));
  if (matching) {
    const outcomes = matching.outcomes.map((one) => one ?? "");
    ops = ops.where(sql<string>`coalesce(o.status, '')`, "=", anyOf(outcomes));
    if (matching.kinds) ops = ops.where("o.kind", "=", anyOf(matching.kinds));
  }
  return ops.offset(offset).limit(limit).execute();
}

/** The ops at these places. */
export function readOpsAt(db: Db, set: string, places: readonly number[]): Promise<TriedOp[]> {
  return triedOps(db, set).where("o.n", "=", anyOf(places, "int")).execute();
}

/** How many ops of each kind and status a reader may see. */
export function countVisibleOps(
  db: Db,
  sets: readonly string[],
  scope: OpScope,
): Promise<{ set: string; kind: string; status: OpStatus | null; count: number }[]> {
  return db
    .selectFrom("watchfloor.change_set_op as o")
    .select(["o.change_set as set", "o.kind", "o.status", rowCount])
    .where("o.change_set", "=", anyOf(sets))
    .where(isVisible(scope))
    .groupBy(["o.change_set", "o.kind", "o.status"])
    .execute();
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
  const record = sql`from ${tableRef(table)} t where ${idRef("t")} = o.record`;
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
  const untried = triedOps(db, set).where("o.status", "is", null);
  return untried.where("o.n", ">=", from).limit(limit).execute();
}

/** Deletes the outcomes of the ops, and marks those that are skipped or have nothing to change. */
export async function resetOps(
  tx: Db,
  set: string,
  { skip, unchanged }: { skip: readonly number[]; unchanged: readonly number[] },
): Promise<void> {
  const ops = tx.updateTable("watchfloor.change_set_op").where("change_set", "=", set);
  await ops.set({ error: null, status: null }).where("status", "is not", null).execute();
  const mark = (status: OpStatus, places: readonly number[]) =>
    ops.set({ status }).where("n", "=", anyOf(places, "int")).execute();
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
  const failed = triedOps(db, set).where("o.status", "in", ["conflict", "refused"]);
  const isSeen = sql<boolean>`(${isVisible(scope)}) is true`.as("isVisible");
  return failed.select(isSeen).limit(limit).execute();
}

/** The outcomes of a set's ops, whoever may see them: how many of each, and how many of these were to create a record. */
export function countOutcomes(
  db: Db,
  set: string,
): Promise<{ isNew: boolean; status: OpStatus | null; count: number }[]> {
  const isNew = sql<boolean>`o.kind = 'create'`;
  return opsOf(db, set)
    .select([isNew.as("isNew"), "o.status", rowCount])
    .groupBy([isNew, "o.status"])
    .execute();
}

export function countApplied(db: Db, set: string): Promise<number> {
  return countOf(opsOf(db, set).where("o.status", "=", "applied").select(rowCount));
}

/** Whether any op that changes something was skipped, refused or not tried. */
export function hasUnapplied(db: Db, set: string): Promise<boolean> {
  const isOpen = sql<boolean>`coalesce(o.status, '') not in ('applied', 'unchanged')`;
  return exists(opsOf(db, set).where(isOpen).limit(1));
}
