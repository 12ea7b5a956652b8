import pg from "pg";
import type { ServerUrls } from "../provision/create-database.ts";

/** A copy of a database at one moment, as a backup or a standby has it. */
export interface DatabaseBackup {
  /** Replaces the database by the copy: what was committed since is lost, and every session ends. */
  restore(): Promise<void>;
  drop(): Promise<void>;
}

/** Copies a database. Sessions end for it, and come back by themselves as after a failover. */
export async function backUp({ url, adminUrl }: ServerUrls): Promise<DatabaseBackup> {
  const { pathname, username } = new URL(url);
  const name = pathname.slice(1);
  const copy = `${name}_backup`;
  const replace = (from: string, to: string) => [
    `drop database if exists "${to}" with (force)`,
    `create database "${to}" owner ${username || "postgres"} template "${from}"`,
  ];
  await alone(adminUrl, name, replace(name, copy));
  return {
    restore: () => alone(adminUrl, name, replace(copy, name)),
    drop: () => alone(adminUrl, copy, [`drop database "${copy}" with (force)`], false),
  };
}

/** Runs statements while nobody can be in the database. */
async function alone(
  adminUrl: string,
  name: string,
  statements: readonly string[],
  reopen = true,
): Promise<void> {
  const url = new URL(adminUrl);
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`alter database "${name}" with allow_connections false`);
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
      [name],
    );
    for (const statement of statements) await client.query(statement);
    if (reopen) await client.query(`alter database "${name}" with allow_connections true`);
  } finally {
    await client.end();
  }
}
