import { type NotNull, type SqlBool, sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import { exactJsonText } from "../../../shared/model/exact-json.ts";
import type { RejectedRow, RowError } from "../../../shared/protocol/imports.ts";
import type { Db } from "../database.ts";
import { anyOf, execute, exists, now, rowCount, rowOf, rowsOf, wrote } from "../statement.ts";
import { changeSet, nextVersion, type StoredImport, touchChangeSet } from "./change-sets.ts";

/*
 * What the rows of a file leave in their change set: ops (change_set_op) and rejected rows (change_set_reject). Until the file was
 * read, a row with a key that makes no op leaves a mark among the ops, at a place below 0: it is found by its key when a later
 * row takes its place.
 */

/** What an earlier row with the same key has left. */
export interface EarlierRow {
  key: string;
  /** The place of its op; below 0 of a mark. */
  n: number;
  line: number;
  kind: string;
}

const draftStates = ["draft", "writing"] as const;

/** The kinds of marks. */
export const UNCHANGED = "unchanged";
export const REJECTED = "rejected";

/** Begins to read a file into a draft that holds none. What an earlier one that broke off has left is removed. */
export async function beginImport(tx: Db, set: string, begun: StoredImport): Promise<boolean> {
  await removeImported(tx, set);
  const isUncounted = sql<SqlBool>`import ->> 'counts' is null`;
  const importing = { import: JSON.stringify(begun), version: nextVersion, updated_at: now };
  const draft = changeSet(tx, set).where("state", "in", draftStates);
  return wrote(draft.where(isUncounted).set(importing));
}

/** Holds the set until the transaction ends; false where another import of it has begun, or it is no draft any more. */
export async function holdImport(tx: Db, set: string, run: string): Promise<boolean> {
  const sets = tx.selectFrom("watchfloor.change_set").where("id", "=", set);
  const draft = sets.where("state", "in", draftStates);
  return exists(draft.where(sql<SqlBool>`import ->> 'run' = ${run}`).forUpdate());
}

/** Gives an import up that broke off. */
export async function abandonImport(tx: Db, set: string): Promise<void> {
  await removeImported(tx, set);
  const abandoned = { import: null, version: nextVersion, updated_at: now };
  await changeSet(tx, set).set(abandoned).execute();
}

/**
 * Completes an import, from all rows read and those that change nothing and left no mark: counts the ops, rejected rows and marks, and
 * removes the marks. From now on the file is the set's origin.
 */
export async function completeImport(
  tx: Db,
  set: string,
  { rows, unchanged, ...begun }: StoredImport & { rows: number; unchanged: number },
): Promise<NonNullable<StoredImport["counts"]>> {
  const row = await rowOf<{ created: number; updated: number; unchanged: number }>(tx)`select
      (count(*) filter (where n >= 0 and kind = 'create'))::int as created,
      (count(*) filter (where n >= 0 and kind <> 'create'))::int as updated,
      (count(*) filter (where kind = ${UNCHANGED}))::int as unchanged
    from watchfloor.change_set_op where change_set = ${set} and line is not null`;
  await deleteOps(tx, set).where("n", "<", 0).execute();
  const { failed } = await countRejects(tx, set);
  const { created = 0, updated = 0, unchanged: marked = 0 } = row ?? {};
  const counted = { created, updated, unchanged: unchanged + marked, failed };
  const superseded = rows - created - updated - counted.unchanged - failed;
  const counts = { rows, ...counted, superseded };
  const stored = JSON.stringify({ ...begun, counts });
  await changeSet(tx, set).set({ origin: "import", import: stored }).execute();
  await touchChangeSet(tx, set, { hasOtherOps: true });
  return counts;
}

async function removeImported(tx: Db, set: string): Promise<void> {
  await deleteOps(tx, set).where("line", "is not", null).execute();
  await deleteRejects(tx, set).execute();
}

const deleteOps = (tx: Db, set: string) =>
  tx.deleteFrom("watchfloor.change_set_op").where("change_set", "=", set);
const deleteRejects = (tx: Db, set: string) =>
  tx.deleteFrom("watchfloor.change_set_reject").where("change_set", "=", set);

export async function findEarlierRows(
  db: Db,
  set: string,
  keys: readonly string[],
): Promise<Map<string, EarlierRow>> {
  if (keys.length === 0) return new Map();
  const ops = db.selectFrom("watchfloor.change_set_op").where("change_set", "=", set);
  const ofRows = ops.select(["key", "n", "line", "kind"]).where("key", "=", anyOf(keys));
  const rows = await ofRows.$narrowType<{ key: NotNull; line: NotNull }>().execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Deletes what earlier rows have left, because later rows with their keys count. */
export async function deleteEarlierRows(
  tx: Db,
  set: string,
  earlier: readonly EarlierRow[],
): Promise<void> {
  if (earlier.length === 0) return;
  const places = earlier.map(({ n }) => n);
  await deleteOps(tx, set).where("n", "=", anyOf(places, "int")).execute();
  const lines = earlier.filter(({ kind }) => kind === REJECTED).map(({ line }) => line);
  if (lines.length === 0) return;
  await deleteRejects(tx, set).where("line", "=", anyOf(lines, "int")).execute();
}

/**
 * Rejects the rows that would give a unique field a value that an earlier row gives it, with an error in which the line is filled in.
 * This reads all ops at once, at the end: which rows are read together must not decide.
 */
export async function rejectRepeatedValues(
  tx: Db,
  set: string,
  field: string,
  error: Omit<RowError, "line">,
): Promise<void> {
  // Postgres knows nothing of a set that was just written, and would join it to itself row by row.
  await execute(tx)`
    with repeated as materialized (select n from (
        select n, row_number() over (partition by value order by line) as nth
        from (select n, line, coalesce(op -> 'values' -> ${field}, op -> 'set' -> ${field}) as value
          from watchfloor.change_set_op where change_set = ${set} and line is not null and n >= 0) given
        where value <> 'null') numbered where nth > 1),
    removed as (delete from watchfloor.change_set_op
      where change_set = ${set} and n = any(array(select n from repeated)) returning line, op)
    insert into watchfloor.change_set_reject (change_set, line, cells, errors)
    select ${set}, line, coalesce(op -> 'cells', '[]'),
      jsonb_build_array(${JSON.stringify(error)}::jsonb || jsonb_build_object('line', line))
    from removed on conflict do nothing`;
}

/** Stores rejected rows; returns the size of their texts. */
export async function writeRejects(
  tx: Db,
  set: string,
  rejected: readonly RejectedRow[],
): Promise<number> {
  if (rejected.length === 0) return 0;
  const cells = rejected.map((row) => exactJsonText([...row.cells]));
  const errors = rejected.map((row) => JSON.stringify(row.errors));
  await execute(tx)`insert into watchfloor.change_set_reject (change_set, line, cells, errors)
    select ${set}, r.* from unnest(${rejected.map(({ line }) => line)}::int[],
      ${cells}::jsonb[], ${errors}::jsonb[]) r
    on conflict do nothing`;
  return [...cells, ...errors].reduce((sum, { length }) => sum + length, 0);
}

/** Rejects the rows whose ops were refused when they were applied, as they were in the file. */
export async function rejectRefused(
  tx: Db,
  set: string,
  refused: readonly { n: number; errors: readonly RowError[] }[],
): Promise<void> {
  if (refused.length === 0) return;
  await execute(tx)`insert into watchfloor.change_set_reject (change_set, line, cells, errors)
    select o.change_set, o.line, o.op -> 'cells', r.errors
    from unnest(${refused.map(({ n }) => n)}::int[],
      ${refused.map(({ errors }) => exactJsonText(errors as unknown as Json))}::jsonb[]) r(n, errors)
    join watchfloor.change_set_op o on o.change_set = ${set} and o.n = r.n
    where o.line is not null and o.op ? 'cells'
    on conflict do nothing`;
}

/** The cells of rejected rows, by their lines. */
export async function readRejectedCells(
  tx: Db,
  set: string,
  lines: readonly number[],
): Promise<Map<number, string[]>> {
  const rejects = tx.selectFrom("watchfloor.change_set_reject").where("change_set", "=", set);
  const rows = await rejects
    .select(["line", "cells"])
    .where("line", "=", anyOf(lines, "int"))
    .execute();
  return new Map(rows.map(({ line, cells }) => [line, cells as string[]]));
}

export async function deleteRejectsAt(
  tx: Db,
  set: string,
  lines: readonly number[],
): Promise<void> {
  await deleteRejects(tx, set).where("line", "=", anyOf(lines, "int")).execute();
}

/** Stores what has become of a file whose rejected rows were corrected. */
export async function replaceImport(tx: Db, set: string, file: StoredImport): Promise<void> {
  await changeSet(tx, set)
    .set({ import: JSON.stringify(file) })
    .execute();
  await touchChangeSet(tx, set, { hasOtherOps: true });
}

export async function countRejects(
  db: Db,
  set: string,
): Promise<{ failed: number; errorTotal: number }> {
  const rejects = db.selectFrom("watchfloor.change_set_reject").where("change_set", "=", set);
  const errors = sql<number>`coalesce(sum(jsonb_array_length(errors)), 0)::int`.as("errorTotal");
  const { count, errorTotal } = await rejects.select([rowCount, errors]).executeTakeFirstOrThrow();
  return { failed: count, errorTotal };
}

/** A cell by which rejected rows are found: by its text, and where names are given as one of which a reason names the field. */
interface RejectedCell {
  index: number;
  text: string;
  /** The names that its field has or had. */
  names?: readonly string[];
}

/** The part of the rejected rows that is read: after a line, without the first `offset`, at most `limit`, and after the first no more than `maxBytes`. */
interface RejectsPage {
  after: number;
  offset?: number;
  limit: number;
  maxBytes: number;
  /** Only rows with this cell. */
  cell?: RejectedCell;
}

/** A page of the rejected rows, in their order. */
export function readRejects(
  db: Db,
  set: string,
  { after, offset = 0, limit, maxBytes, cell }: RejectsPage,
): Promise<RejectedRow[]> {
  const isText = cell && sql`and coalesce(cells ->> ${cell.index}::int, '') = ${cell.text}`;
  const isNamed =
    cell?.names &&
    sql`and exists (select from jsonb_array_elements(errors) e
      where e ->> 'field' = any(${cell.names}::text[]))`;
  return rowsOf<RejectedRow>(db)`select line, cells, errors from (
      select *, row_number() over (order by line) as n, sum(octet_length(cells::text)) over (order by line) as bytes
      from (select line, cells, errors from watchfloor.change_set_reject
        where change_set = ${set} and line > ${after} ${isText ?? sql``} ${isNamed ?? sql``}
        order by line offset ${offset} limit ${limit}) next) r
    where n = 1 or bytes <= ${maxBytes} order by line`;
}
