import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Database } from "../database.ts";
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

/** Every migration in order. A landed one is never edited: later changes are migrations of their own. */
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
};

/**
 * Brings schema `watchfloor` up to date. Safe to run from several servers at once (the migrator
 * takes a lock). Throws the first failure; what had succeeded before stays.
 */
export async function migrate({ kysely }: Database): Promise<void> {
  await sql`create schema if not exists watchfloor`.execute(kysely).catch(ignoreRace);
  const migrator = new Migrator({
    db: kysely,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: "watchfloor",
    migrationTableName: "migration",
    migrationLockTableName: "migration_lock",
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Two servers that create the schema at the same instant: one of them meets a unique violation. */
function ignoreRace(error: unknown): void {
  const code = (error as { code?: string }).code;
  if (code !== "23505" && code !== "42P06") throw error;
}
