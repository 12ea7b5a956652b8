import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { prepareServerRole, serverPassword } from "../../server/store/embedded/server-role.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import type { DatabaseKind } from "../provision/databases.ts";

/** A database that an earlier release left behind, with everything in it owned by the superuser, as it was then. */

const folder = new URL("fixture/", import.meta.url);

/** What the release answered about the database when it was recorded. */
export interface ReleasedFacts {
  release: string;
  recordedAt: string;
  owner: { email: string; password: string };
  /** The owner's cookie. */
  session: { name: string; value: string };
  users: { priya: string; nuno: string };
  role: string;
  views: { shared: string; own: string };
  board: string;
  screen: { id: string; token: string };
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
 * Restores the database and hands it over to the role of today's servers. Its times are moved to the present, so that
 * sessions and the change log are as old as they were when the release was stopped.
 */
export async function restoreDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const database = await kind.create();
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  try {
    await admin.query(gunzipSync(readFileSync(new URL("database.sql.gz", folder))).toString());
    await admin.query("set session_replication_role = replica");
    const { rows } = await admin.query<{ statement: string }>(moveTimes, [`${ageMs} ms`]);
    for (const { statement } of rows) await admin.query(statement);
    const url = new URL(database.url);
    // The embedded Postgres has the role already; its password stays.
    const password = url.password || serverPassword(randomBytes(16).toString("hex"));
    await prepareServerRole(admin, decodeURIComponent(password));
    url.username = "watchfloor_server";
    return { ...database, url: url.href };
  } finally {
    await admin.end();
  }
}

const moveTimes = `
  select format('update watchfloor.%I set %s', c.relname, string_agg(
    format('%1$I = %1$I + interval %2$L', a.attname, $1::text), ', ')) as statement
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'watchfloor'::regnamespace and c.relkind = 'r' and a.attnum > 0
    and a.atttypid = 'timestamptz'::regtype and not a.attisdropped
  group by c.relname`;
