import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { englishOnly } from "../../../shared/error-texts/explain.ts";
import type { TextOrder } from "../../../shared/filter/text-order.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { installCaptureFunctions } from "../capture.ts";
import type { Database, Db } from "../database.ts";
import { addEntryNumbers } from "../ddl/entry-numbers.ts";
import { readModel } from "../models.ts";
import { ensureTextOrder } from "../text-order.ts";
import { changeLogSchema, triggerFingerprints } from "./change-log.ts";
import { entryParts, notificationTables } from "./notifications.ts";
import {
  beginInstallation,
  companyAccounts,
  factorOfSessions,
  formerParts,
  oneChannel,
  platformSchema,
  provenSessions,
  recordRanks,
} from "./platform.ts";

/**
 * Every migration in order. One that databases have gone through is never edited; later changes are new ones. One that changes triggers
 * of our own tables sets `installation.triggers` to null, or the next check takes it for an interruption (capture-check.ts).
 */
const migrations: Record<string, Migration> = {
  "schema-1": {
    async up(db) {
      for (const statement of [...changeLogSchema, ...platformSchema, beginInstallation()])
        await sql.raw(statement).execute(db);
    },
  },
  "schema-2": {
    async up(db) {
      for (const statement of triggerFingerprints) await sql.raw(statement).execute(db);
    },
  },
  "schema-3": {
    async up(db) {
      for (const statement of oneChannel) await sql.raw(statement).execute(db);
    },
  },
  "schema-4": { up: addEntryNumbers },
  "schema-5": {
    async up(db) {
      for (const statement of formerParts) await sql.raw(statement).execute(db);
    },
  },
  "schema-6": {
    async up(db) {
      for (const statement of provenSessions) await sql.raw(statement).execute(db);
    },
  },
  "schema-7": {
    async up(db) {
      for (const statement of companyAccounts) await sql.raw(statement).execute(db);
    },
  },
  "schema-8": {
    async up(db) {
      for (const statement of notificationTables) await sql.raw(statement).execute(db);
    },
  },
  // What a trigger of another program writes to the row that fired it is logged behind that row. A display may have a zone of its own. A
  // session may have to show a second factor still.
  "schema-9": {
    async up(db) {
      await sql`alter table watchfloor.display add column zone text`.execute(db);
      for (const table of (await readModel(db)).tables) await installCaptureFunctions(db, table);
      for (const statement of factorOfSessions) await sql.raw(statement).execute(db);
    },
  },
  // They run in the order of their names as texts, in which "schema-10" would be the second.
  "schema-9b": {
    async up(db) {
      for (const statement of entryParts) await sql.raw(statement).execute(db);
    },
  },
  "schema-9c": {
    async up(db) {
      for (const statement of recordRanks) await sql.raw(statement).execute(db);
    },
  },
};

/** The last migration of the builds before there was one schema, from the first one of which no database is upgraded. */
const BEFORE_SCHEMA = { first: "0001-change-log", last: "0032-whole-reverts" };

/**
 * Brings schema `watchfloor` up to date. Safe to run from several servers at once (the migrator takes a
 * lock). Throws the first failure; earlier migrations stay applied. Returns how the database orders texts: by `language`, if it can.
 */
export async function migrate(database: Database, language?: string): Promise<TextOrder> {
  await requireOwnSchema(database);
  await sql`create schema if not exists watchfloor`.execute(database.kysely).catch(ignoreRace);
  await migrateTo(database.kysely).catch((error: unknown) => {
    throw dependent(error);
  });
  return ensureTextOrder(database, language);
}

/** Brings an existing schema `watchfloor` to a migration, by default the latest; in a transaction, if given one. */
export async function migrateTo(db: Db, name = Object.keys(migrations).at(-1)): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    nameComparator: (a, b) => a.localeCompare(b, "en", { numeric: true }),
    migrationTableSchema: "watchfloor",
    migrationTableName: "migration",
    migrationLockTableName: "migration_lock",
  });
  const { error } = await migrator.migrateTo(name as string);
  if (error) throw error;
}

/**
 * The migration after which rows of a backup are loaded, by the migrations of its database; null if this version has no such state. The
 * tables of the last build before there was one schema are those of the first.
 */
export function migrationOfBackup(names: readonly string[]): string | null {
  const last = names.at(-1) === BEFORE_SCHEMA.last ? "schema-1" : names.at(-1);
  const isKnown = names.every((name) => name in migrations) || names.at(-1) === BEFORE_SCHEMA.last;
  return isKnown && last ? last : null;
}

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
  const message = done.includes(BEFORE_SCHEMA.first)
    ? "The database has the schema of a Watchfloor before the first release, which this version does not change. Make a backup with the version that was used (npm run backup), and restore it with this one into an empty database or data folder (npm run restore). Nothing was changed."
    : done.includes("schema-1")
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

const FEATURE_NOT_SUPPORTED = "0A000";
const DEPENDENT_OBJECTS = "2BP01";

/** What a migration can't change because a view of another program shows it. A migration is one transaction. */
function dependent(error: unknown): unknown {
  const { code, detail } = error as { code?: string; detail?: string };
  const isOfView = code === FEATURE_NOT_SUPPORTED || code === DEPENDENT_OBJECTS;
  if (!isOfView || !detail) return error;
  const message = `This version changes tables of schema "watchfloor" that a view of another program shows (${detail.split("\n")[0]}). Drop it, start again, and create it anew. Nothing was changed.`;
  return new Refusal(
    "validation_failed",
    { rule: "database", name: "watchfloor" },
    englishOnly(message),
  );
}

/** Two servers that create the schema at the same instant: one of them gets a unique violation. */
function ignoreRace(error: unknown): void {
  const code = (error as { code?: string }).code;
  if (code !== "23505" && code !== "42P06") throw error;
}
