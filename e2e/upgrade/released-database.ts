import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { checkBackup, restoreBackup } from "../../server/store/backup/restore-backup.ts";
import { openDatabase } from "../../server/store/database.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import type { DatabaseKind } from "../provision/databases.ts";

/** What a build before the first release left behind: a backup of its installation, and a tab of a browser. */

const folder = new URL("fixture/", import.meta.url);

/** What the release answered about the database when it was recorded. */
export interface ReleasedFacts {
  release: string;
  recordedAt: string;
  owner: { email: string; password: string };
  users: { priya: string; nuno: string };
  role: string;
  views: { shared: string; own: string };
  board: string;
  screen: { id: string };
  history: Record<string, { at: string }[]>;
}

/** The storage of a browser tab, as the page of the release left it. */
export interface StoredTab {
  databases: {
    name: string;
    version: number;
    stores: { name: string; keyPath: string; indexes: StoredIndex[]; values: object[] }[];
  }[];
  localStorage: Record<string, string>;
  sessionStorage: Record<string, string>;
}
interface StoredIndex {
  name: string;
  keyPath: string;
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, folder), "utf8")) as T;
}

export const facts = readJson<ReleasedFacts>("facts.json");
export const storedTab = readJson<StoredTab>("browser.json");

/** How long ago the release was stopped, in milliseconds. */
const ageMs = Date.now() - Date.parse(facts.recordedAt);

/** A time of the release as it reads now: its last moment is the present. */
export function moved(at: string): number {
  return Date.parse(at) + ageMs;
}

/**
 * A database into which the backup was restored. Its times are moved to the present, so that the change log is as old as it was when the
 * release was stopped.
 */
export async function restoreReleased(kind: DatabaseKind): Promise<TestDatabase> {
  const own = await kind.create();
  const onError = () => undefined;
  const database = openDatabase({ connectionString: own.url, poolSize: 2, onError });
  const file = fileURLToPath(new URL("backup", folder));
  await checkBackup(file);
  await restoreBackup(database, file, { replace: false });
  await database.close();
  const admin = new pg.Client({ connectionString: own.adminUrl });
  await admin.connect();
  await admin.query("set session_replication_role = replica");
  const { rows } = await admin.query<{ statement: string }>(moveTimes, [`${ageMs} ms`]);
  for (const { statement } of rows) await admin.query(statement);
  await admin.end();
  return own;
}

const moveTimes = `
  select format('update watchfloor.%I set %s', c.relname, string_agg(
    format('%1$I = %1$I + interval %2$L', a.attname, $1::text), ', ')) as statement
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'watchfloor'::regnamespace and c.relkind = 'r' and a.attnum > 0
    and a.atttypid = 'timestamptz'::regtype and not a.attisdropped
  group by c.relname`;
