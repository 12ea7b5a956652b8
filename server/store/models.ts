import { sql } from "kysely";
import type { Json } from "../../shared/filter/filter.ts";
import { assignIdentities, type UsedNames } from "../../shared/model/assign-identities.ts";
import { exactJsonText } from "../../shared/model/exact-json.ts";
import type { Model, Table } from "../../shared/model/model.ts";
import type { Database, Db } from "./database.ts";
import { createTables } from "./ddl/tables.ts";
import { type SeedRecord, seedRecords } from "./seed.ts";

/** One version of the model, with who published it and when. */
export interface ModelVersion {
  version: number;
  document: Model;
  by: string;
  at: string;
}

/**
 * The newest model, empty before set-up; no other one is published before the transaction ends. Documents
 * that name parts of the model are validated by it. Taken before any other lock that `applyPlan` takes.
 */
export async function holdModel(tx: Db): Promise<Model> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('watchfloor.model'))`.execute(tx);
  return (await loadModelVersion({ kysely: tx }))?.document ?? { version: 0, tables: [] };
}

/** The newest version of the model; null before set-up. */
export async function loadModel(database: Database): Promise<Model | null> {
  return (await loadModelVersion(database))?.document ?? null;
}

/** Whether there is a model. Also works if nothing of Watchfloor is in the database yet. */
export async function isSetUp(database: Database): Promise<boolean> {
  const { rows } = await sql<{ made: boolean }>`
    select to_regclass('watchfloor.model') is not null as made`.execute(database.kysely);
  return rows[0]?.made === true && (await loadModel(database)) !== null;
}

/** A version of the model, by default the newest; null if there is none. */
export async function loadModelVersion(
  { kysely }: { kysely: Db },
  version: number | null = null,
): Promise<ModelVersion | null> {
  const found = await sql<ModelVersion>`
    select version, document, by, to_jsonb(at) #>> '{}' as at from watchfloor.model
    where ${version}::bigint is null or version = ${version}::bigint order by version desc limit 1
  `.execute(kysely);
  return found.rows[0] ?? null;
}

/** The newest version's number; 0 before set-up. */
export async function publishedVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select coalesce(max(version), 0) as version from watchfloor.model`.execute(db);
  return rows[0]?.version ?? 0;
}

/** Tables as they last were in any version of the model, by their ids. */
export async function lastVersionsOf(db: Db, ids: readonly string[]): Promise<Table[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ document: Table }>`
    select distinct on (id) t.value as document
    from watchfloor.model m cross join jsonb_array_elements(m.document -> 'tables') t
    cross join coalesce(t.value ->> 'id', t.value ->> 'name') id
    where id = any(${ids}::text[]) order by id, m.version desc`.execute(db);
  return rows.map(({ document }) => document);
}

/** All versions, newest first, without their documents. */
export async function listModelVersions({
  kysely,
}: Database): Promise<Omit<ModelVersion, "document">[]> {
  const found = await sql<Omit<ModelVersion, "document">>`
    select version, by, to_jsonb(at) #>> '{}' as at from watchfloor.model order by version desc
  `.execute(kysely);
  return found.rows;
}

/** The identities and columns that any version has used: new parts get others. */
export async function usedNames({ kysely }: Database): Promise<UsedNames> {
  const found = await sql<{ table: string; names: string[] }>`
    select coalesce(t.value ->> 'id', t.value ->> 'name') as table,
      array_remove(array_agg(distinct n.name), null) as names
    from watchfloor.model m
    cross join jsonb_array_elements(m.document -> 'tables') t
    left join lateral jsonb_array_elements(t.value -> 'fields') f on true
    left join lateral (values (coalesce(f.value ->> 'id', f.value ->> 'name')),
      (coalesce(f.value ->> 'column', f.value ->> 'name'))) n(name) on true
    group by 1
  `.execute(kysely);
  return {
    tables: found.rows.map(({ table }) => table),
    fields: Object.fromEntries(found.rows.map(({ table, names }) => [table, names])),
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
    const inserted = await sql`
      insert into watchfloor.model (version, document, by)
      values (1, ${exactJsonText(first as unknown as Json)}::jsonb, ${by}) on conflict do nothing returning version
    `.execute(trx);
    if (inserted.rows.length === 0) return false;
    await createTables(trx, first);
    await seedRecords(trx, first, records);
    return true;
  });
}
