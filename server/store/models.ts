import { sql } from "kysely";
import type { Json } from "../../shared/filter/filter.ts";
import { assignIdentities, type UsedNames } from "../../shared/model/assign-identities.ts";
import { exactJsonText } from "../../shared/model/exact-json.ts";
import { idOfTable, type Model } from "../../shared/model/model.ts";
import { type RemovedTable, withRemovedTables } from "../../shared/model/removed-names.ts";
import type { ModelDocument, ModelVersion } from "../../shared/protocol/model.ts";
import type { Database, Db } from "./database.ts";
import { createTables } from "./ddl/tables.ts";
import { type SeedRecord, seedRecords } from "./seed.ts";
import { countOf, firstOf, hasRow, hold, rowsOf, wrote } from "./statement.ts";

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
  const wanted = version === null ? models : models.where("version", "=", version);
  return firstOf(wanted.orderBy("version", "desc").limit(1));
}

/** A version of the model as it is stored. */
export const insertModel = (trx: Db, model: Model, by: string) =>
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
  const removed = await rowsOf<RemovedTable>(db)`
    with version as (
      select coalesce(t.value ->> 'id', t.value ->> 'name') as id, t.value as document, m.version
      from watchfloor.model m cross join jsonb_array_elements(m.document -> 'tables') t
      where coalesce(t.value ->> 'id', t.value ->> 'name') <> all(${model.tables.map(idOfTable)}::text[])
    ), removed as (
      select distinct on (id) id, document, version from version order by id, version desc
    ), field as (
      select distinct on (v.id, coalesce(f.value ->> 'id', f.value ->> 'name'))
        v.id as of_table, f.value as document, v.version
      from version v join removed on removed.id = v.id
      cross join jsonb_array_elements(v.document -> 'fields') f
      order by v.id, coalesce(f.value ->> 'id', f.value ->> 'name'), v.version desc
    )
    select document as "table", coalesce((
      select jsonb_agg(field.document order by field.version desc) from field
      where field.of_table = removed.id and field.version < removed.version
    ), '[]') as fields
    from removed order by version desc`;
  return withRemovedTables(model, removed);
}

/** All versions, newest first, without their documents. */
export function listModelVersions({ kysely }: Database): Promise<ModelVersion[]> {
  const versions = kysely.selectFrom("watchfloor.model").select(["version", "by", "at"]);
  return versions.orderBy("version", "desc").execute();
}

/** The identities, columns and keys of the log that any version has used: new parts get others. `model` is the published one. */
export async function usedNames({ kysely }: Database, model: Model): Promise<UsedNames> {
  const found = await rowsOf<{ table: string; names: string[] }>(kysely)`
    select coalesce(t.value ->> 'id', t.value ->> 'name') as table,
      array_remove(array_agg(distinct n.name), null) as names
    from watchfloor.model m
    cross join jsonb_array_elements(m.document -> 'tables') t
    left join lateral jsonb_array_elements(t.value -> 'fields') f on true
    left join lateral (values (coalesce(f.value ->> 'id', f.value ->> 'name')),
      (coalesce(f.value ->> 'column', f.value ->> 'name')), (f.value ->> 'logKey')) n(name) on true
    group by 1
  `;
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
