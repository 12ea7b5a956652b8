import { exactJsonText } from "../../../shared/model/exact-json.ts";
import type { RejectedRow } from "../../../shared/protocol/imports.ts";
import type { Db } from "../database.ts";
import { execute, rowOf, rowsOf } from "../statement.ts";
import { type StoredImport, touchChangeSet } from "./change-sets.ts";

/** Begins an import into a draft. What an earlier one that broke off has left is removed. */
export async function beginImport(tx: Db, set: string, begun: StoredImport): Promise<void> {
  await removeImported(tx, set);
  await execute(tx)`update watchfloor.change_set set import = ${JSON.stringify(begun)}::jsonb,
    version = version + 1, updated_at = now() where id = ${set}`;
}

/** Notes how far an import has come. The version, which others see, says nothing of its size. */
export async function storeImport(tx: Db, set: string, stored: StoredImport): Promise<void> {
  await execute(tx)`update watchfloor.change_set set import = ${JSON.stringify(stored)}::jsonb
    where id = ${set}`;
}

/** Gives an import up that broke off. */
export async function abandonImport(tx: Db, set: string): Promise<void> {
  await removeImported(tx, set);
  await execute(tx)`update watchfloor.change_set set import = null, version = version + 1,
    updated_at = now() where id = ${set}`;
}

/** Completes an import: counts what it has made, and removes the marks of unchanged rows. From now on that is the set's origin. */
export async function completeImport(
  tx: Db,
  set: string,
  { counts, ...begun }: StoredImport & { counts: NonNullable<StoredImport["counts"]> },
): Promise<StoredImport & { counts: NonNullable<StoredImport["counts"]> }> {
  const row = await rowOf<{ created: number; updated: number; unchanged: number }>(tx)`select
      (count(*) filter (where n >= 0 and kind = 'create'))::int as created,
      (count(*) filter (where n >= 0 and kind <> 'create'))::int as updated,
      (count(*) filter (where n < 0))::int as unchanged
    from watchfloor.change_set_op where change_set = ${set} and line is not null`;
  const { created = 0, updated = 0, unchanged = 0 } = row ?? {};
  await execute(tx)`delete from watchfloor.change_set_op where change_set = ${set} and n < 0`;
  const total = { ...counts, created, updated, unchanged: counts.unchanged + unchanged };
  const done = { ...begun, counts: total };
  await storeImport(tx, set, done);
  await execute(tx)`update watchfloor.change_set set origin = 'import' where id = ${set}`;
  await touchChangeSet(tx, set, { hasOtherOps: true });
  return done;
}

async function removeImported(tx: Db, set: string): Promise<void> {
  await execute(tx)`delete from watchfloor.change_set_op
    where change_set = ${set} and line is not null`;
  await execute(tx)`delete from watchfloor.change_set_reject where change_set = ${set}`;
}

/** The places of the ops that earlier rows with these keys have made. */
export async function placesOfKeys(
  tx: Db,
  set: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await rowsOf<{ key: string; n: number }>(tx)`select key, n
    from watchfloor.change_set_op where change_set = ${set} and key = any(${keys}::text[])`;
  return new Map(rows.map(({ key, n }) => [key, n]));
}

export async function deleteOps(tx: Db, set: string, places: readonly number[]): Promise<void> {
  if (places.length === 0) return;
  await execute(tx)`delete from watchfloor.change_set_op
    where change_set = ${set} and n = any(${places}::int[])`;
}

export async function writeRejects(
  tx: Db,
  set: string,
  rejected: readonly RejectedRow[],
): Promise<void> {
  if (rejected.length === 0) return;
  await execute(tx)`insert into watchfloor.change_set_reject (change_set, line, cells, errors)
    select ${set}, r.* from unnest(${rejected.map(({ line }) => line)}::int[],
      ${rejected.map(({ cells }) => exactJsonText([...cells]))}::jsonb[],
      ${rejected.map(({ errors }) => JSON.stringify(errors))}::jsonb[]) r
    on conflict do nothing`;
}

/** The rejected rows after a line, in their order: at most `limit`, and after the first no more than `maxBytes`. */
export function readRejects(
  db: Db,
  set: string,
  { after, limit, maxBytes }: { after: number; limit: number; maxBytes: number },
): Promise<RejectedRow[]> {
  return rowsOf<RejectedRow>(db)`select line, cells, errors from (
      select *, row_number() over (order by line) as n, sum(octet_length(cells::text)) over (order by line) as bytes
      from (select line, cells, errors from watchfloor.change_set_reject
        where change_set = ${set} and line > ${after} order by line limit ${limit}) next) r
    where n = 1 or bytes <= ${maxBytes} order by line`;
}
