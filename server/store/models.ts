import { sql } from "kysely";
import { deepEqual } from "../../shared/document/deep-equal.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { assignIdentities, type UsedNames } from "../../shared/model/assign-identities.ts";
import { exactJsonText } from "../../shared/model/exact-json.ts";
import { idOfTable, type Model } from "../../shared/model/model.ts";
import { type RemovedTable, withRemovedTables } from "../../shared/model/removed-names.ts";
import type { ModelDocument, ModelVersion } from "../../shared/protocol/model.ts";
import type { Database, Db } from "./database.ts";
import { createTables } from "./ddl/tables.ts";
import { type SeedRecord, seedRecords } from "./seed.ts";
import { countOf, execute, firstOf, hasRow, hold, rowsOf, wrote } from "./statement.ts";

/**
 * The newest model, empty before set-up; no other one is published before the transaction ends. Documents
 * that name parts of the model are validated by it. Taken before any other lock that `applyPlan` takes.
 */
export async function holdModel(tx: Db): Promise<Model> {
  await hold(tx, "model", { isShared: true });
  return readModel(tx);
}

/** The published model; empty before set-up. */
export async function readModel(db: Db): Promise<Model> {
  return (await loadModelVersion({ kysely: db }))?.document ?? { version: 0, tables: [] };
}

/** Whether there is a schema of ours. Throws where the role may not even see that. */
export function hasSchema(db: Db): Promise<boolean> {
  return hasRow(db)`select where to_regclass('watchfloor.model') is not null`;
}

/** Whether there is a model. Also works if nothing of Watchfloor is in the database yet. */
export async function isSetUp(database: Database): Promise<boolean> {
  return (await hasSchema(database.kysely)) && (await loadModelVersion(database)) !== null;
}

/** A version of the model, by default the newest; null if there is none. */
export function loadModelVersion(
  { kysely }: { kysely: Db },
  version: number | null = null,
): Promise<ModelDocument | null> {
  const models = kysely.selectFrom("watchfloor.model").select(["version", "document", "by", "at"]);
  const wanted =
    version === null ? models : models.where("version", "=", sql<number>`${version}::bigint`);
  return firstOf(wanted.orderBy("version", "desc").limit(1));
}

/**
 * Stores the version that follows `from`, and what that had and this one has not, or has otherwise. So what is known of former versions is
 * looked up in `watchfloor.former_part`, at the same cost after a thousand versions.
 */
export async function publishModel(trx: Db, from: Model, to: Model, by: string): Promise<void> {
  const next = new Map(to.tables.map((table) => [idOfTable(table), table]));
  const replaced = from.tables.filter((table) => !deepEqual(next.get(idOfTable(table)), table));
  const tables = exactJsonText(replaced as unknown as Json);
  await execute(trx)`select watchfloor.record_former_parts(${from.version}::int, ${tables}::jsonb)`;
  await insertModel(trx, to, by).execute();
}

/** A version of the model as it is stored. */
const insertModel = (trx: Db, model: Model, by: string) =>
  trx
    .insertInto("watchfloor.model")
    .values({ version: model.version, document: exactJsonText(model as unknown as Json), by });

/** The newest version's number; 0 before set-up. */
export function publishedVersion(db: Db): Promise<number> {
  const newest = sql<number>`coalesce(max(version), 0)`.as("count");
  return countOf(db.selectFrom("watchfloor.model").select(newest));
}

/** A model with the tables that earlier versions had: grants on these apply again where they are restored. */
export async function withEarlierTables(db: Db, model: Model): Promise<Model> {
  const present = model.tables.map(idOfTable);
  const removed = await rowsOf<RemovedTable>(db)`
    select t.document as "table", coalesce((
      select jsonb_agg(f.document order by f.version desc) from watchfloor.former_part f
      where f.table_id = t.table_id and f.field_id <> '' and f.version < t.version
    ), '[]') as fields
    from watchfloor.former_part t
    where t.field_id = '' and t.table_id <> all(${present}::text[])
    order by t.version desc`;
  return withRemovedTables(model, removed);
}

/** All versions, newest first, without their documents. */
export function listModelVersions({ kysely }: Database): Promise<ModelVersion[]> {
  const versions = kysely.selectFrom("watchfloor.model").select(["version", "by", "at"]);
  return versions.orderBy("version", "desc").execute();
}

/** The identities, columns and keys of the log that any former version has used: new parts get others. `model` is the published one. */
export async function usedNames({ kysely }: Database, model: Model): Promise<UsedNames> {
  const found = await rowsOf<{ table: string; names: string[] }>(kysely)`
    select p.table_id as table, coalesce(array_agg(n) filter (where n is not null), '{}') as names
    from watchfloor.former_part p left join lateral unnest(p.names) n on true
    group by p.table_id`;
  const { tables } = await withEarlierTables(kysely, model);
  return {
    removed: tables.slice(model.tables.length),
    tables: found.map(({ table }) => table),
    fields: Object.fromEntries(found.map(({ table, names }) => [table, names])),
  };
}

/** A model as the first version of an installation: with identities for its tables and fields. */
export function firstModel(model: Model): Model {
  const none = { version: 0, tables: [] };
  return assignIdentities(none, { ...model, version: 1 }, { tables: [], fields: {} });
}

/**
 * Stores a model as the first version, creates its tables and fills them, in one transaction. Returns false,
 * changing nothing, if there is a model already.
 */
export async function installModel(
  { kysely }: Database,
  model: Model,
  by: string,
  records: readonly SeedRecord[] = [],
) {
  return kysely.transaction().execute(async (trx) => {
    const first = firstModel(model);
    const insert = insertModel(trx, first, by).onConflict((any) => any.doNothing());
    if (!(await wrote(insert))) return false;
    await createTables(trx, first);
    await seedRecords(trx, first, records);
    return true;
  });
}
