import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { englishOnly } from "../../../shared/error-texts/explain.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { Database, Db } from "../database.ts";
import * as changeLog from "./0001-change-log.ts";
import * as people from "./0002-people.ts";
import * as peopleTold from "./0003-people-told.ts";
import * as installation from "./0004-installation.ts";
import * as modelChanges from "./0005-model-changes.ts";
import * as roles from "./0006-roles.ts";
import * as numberingInPieces from "./0007-numbering-in-pieces.ts";
import * as recordsInPublic from "./0008-records-in-public.ts";
import * as displays from "./0009-displays.ts";
import * as security from "./0010-security.ts";
import * as wallboards from "./0011-wallboards.ts";
import * as removedWallboards from "./0012-removed-wallboards.ts";
import * as cheaperCapture from "./0013-cheaper-capture.ts";
import * as eventsTold from "./0014-events-told.ts";
import * as views from "./0015-views.ts";
import * as removedFeeds from "./0016-removed-feeds.ts";
import * as epochsOfInstances from "./0017-epochs-of-instances.ts";
import * as busKey from "./0018-bus-key.ts";
import * as ownTables from "./0019-own-tables.ts";
import * as refusals from "./0020-refusals.ts";
import * as digests from "./0021-digests.ts";
import * as origins from "./0022-origins.ts";
import * as changeSets from "./0023-change-sets.ts";
import * as imports from "./0024-imports.ts";
import * as apiTokens from "./0025-api-tokens.ts";
import * as webhooks from "./0026-webhooks.ts";
import * as scheduledBackups from "./0027-scheduled-backups.ts";
import * as comments from "./0028-comments.ts";
import * as durableChanges from "./0029-durable-changes.ts";
import * as erasure from "./0029-erasure.ts";
import * as leanCommits from "./0030-lean-commits.ts";
import * as notices from "./0031-notices.ts";
import * as wholeReverts from "./0032-whole-reverts.ts";

/** Every migration in order. A released one is never edited: later changes are new migrations. */
const migrations: Record<string, Migration> = {
  "0001-change-log": changeLog,
  "0002-people": people,
  "0003-people-told": peopleTold,
  "0004-installation": installation,
  "0005-model-changes": modelChanges,
  "0006-roles": roles,
  "0007-numbering-in-pieces": numberingInPieces,
  "0008-records-in-public": recordsInPublic,
  "0009-displays": displays,
  "0010-security": security,
  "0011-wallboards": wallboards,
  "0012-removed-wallboards": removedWallboards,
  "0013-cheaper-capture": cheaperCapture,
  "0014-events-told": eventsTold,
  "0015-views": views,
  "0016-removed-feeds": removedFeeds,
  "0017-epochs-of-instances": epochsOfInstances,
  "0018-bus-key": busKey,
  "0019-own-tables": ownTables,
  "0020-refusals": refusals,
  "0021-digests": digests,
  "0022-origins": origins,
  "0023-change-sets": changeSets,
  "0024-imports": imports,
  "0025-api-tokens": apiTokens,
  "0026-webhooks": webhooks,
  "0027-scheduled-backups": scheduledBackups,
  "0028-comments": comments,
  "0029-durable-changes": durableChanges,
  "0029-erasure": erasure,
  "0030-lean-commits": leanCommits,
  "0031-notices": notices,
  "0032-whole-reverts": wholeReverts,
};

/**
 * Brings schema `watchfloor` up to date. Safe to run from several servers at once (the migrator takes a
 * lock). Throws the first failure; earlier migrations stay applied.
 */
export async function migrate(database: Database): Promise<void> {
  await requireOwnSchema(database);
  await sql`create schema if not exists watchfloor`.execute(database.kysely).catch(ignoreRace);
  await migrateTo(database.kysely);
}

/** Brings an existing schema `watchfloor` to a migration, by default the latest; in a transaction, if given one. */
export async function migrateTo(db: Db, name = Object.keys(migrations).at(-1)): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: "watchfloor",
    migrationTableName: "migration",
    migrationLockTableName: "migration_lock",
  });
  const { error } = await migrator.migrateTo(name as string);
  if (error) throw error;
}

/** Whether this version has all these migrations. A newer version's schema has others. */
export const knowsMigrations = (names: readonly string[]) =>
  names.every((name) => name in migrations);

/**
 * Refuses a schema `watchfloor` of another program, and one of a newer Watchfloor, before anything is
 * written. An empty one is accepted: an administrator may have created it for us.
 */
export async function requireOwnSchema({ kysely }: Pick<Database, "kysely">): Promise<void> {
  const { rows } = await sql<{ objects: number; migrated: boolean }>`
    select (select count(*) from pg_catalog.pg_class where relnamespace = n.oid)::int
        + (select count(*) from pg_catalog.pg_proc where pronamespace = n.oid)::int
        + (select count(*) from pg_catalog.pg_type where typnamespace = n.oid)::int as objects,
      to_regclass('watchfloor.migration') is not null
        and to_regclass('watchfloor.migration_lock') is not null as migrated
    from pg_catalog.pg_namespace n where n.nspname = 'watchfloor'`.execute(kysely);
  const [schema] = rows;
  if (!schema || schema.objects === 0) return;
  const done = schema.migrated ? await doneMigrations(kysely) : [""];
  const unknown = done.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  const message = done.includes("0001-change-log")
    ? `The database was brought up to date by a newer Watchfloor (${unknown}). Start that version, or restore a backup from before.`
    : 'The database has a schema "watchfloor" that Watchfloor did not create. Rename it, or use another database. Nothing was changed.';
  throw new Refusal(
    "validation_failed",
    { rule: "database", name: "watchfloor" },
    englishOnly(message),
  );
}

async function doneMigrations(kysely: Database["kysely"]): Promise<string[]> {
  const { rows } = await sql<{ row: { name?: string } }>`
    select to_jsonb(m) as row from watchfloor.migration m`.execute(kysely);
  return rows.map(({ row }) => row.name ?? "");
}

/** Two servers that create the schema at the same instant: one of them gets a unique violation. */
function ignoreRace(error: unknown): void {
  const code = (error as { code?: string }).code;
  if (code !== "23505" && code !== "42P06") throw error;
}
