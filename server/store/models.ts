import { sql } from "kysely";
import type { Model } from "../../shared/model/model.ts";
import { settleModel, type UsedNames } from "../../shared/model/settle-model.ts";
import type { Database, Db } from "./database.ts";
import { createTables } from "./ddl/tables.ts";

/** One version of the model, with who put it in force and when. */
export interface ModelVersion {
  version: number;
  document: Model;
  by: string;
  at: string;
}

/** The newest version of the model; null before set-up. */
export async function loadModel(database: Database): Promise<Model | null> {
  return (await loadModelVersion(database))?.document ?? null;
}

/** A version of the model, the newest unless told; null where there is none. */
export async function loadModelVersion(
  { kysely }: Database,
  version: number | null = null,
): Promise<ModelVersion | null> {
  const found = await sql<ModelVersion>`
    select version, document, by, to_jsonb(at) #>> '{}' as at from watchfloor.model
    where ${version}::bigint is null or version = ${version}::bigint order by version desc limit 1
  `.execute(kysely);
  return found.rows[0] ?? null;
}

/** The newest version's number; 0 before set-up. */
export async function standingVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select coalesce(max(version), 0) as version from watchfloor.model`.execute(db);
  return rows[0]?.version ?? 0;
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

/** The identities and columns that any version has used: what is new gets others. */
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

/**
 * Keeps a model as the first version and makes its tables, in one transaction.
 * Returns false, changing nothing, where there is a model already.
 */
export async function installModel({ kysely }: Database, model: Model, by: string) {
  return kysely.transaction().execute(async (trx) => {
    const none = { version: 0, tables: [] };
    const first = settleModel(none, { ...model, version: 1 }, { tables: [], fields: {} });
    const kept = await sql`
      insert into watchfloor.model (version, document, by)
      values (1, ${JSON.stringify(first)}::jsonb, ${by}) on conflict do nothing returning version
    `.execute(trx);
    if (kept.rows.length === 0) return false;
    await createTables(trx, first);
    return true;
  });
}
