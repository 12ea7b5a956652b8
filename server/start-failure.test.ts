import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { runProgram } from "../e2e/harness/run-program.ts";
import { anyDatabase, databases } from "../e2e/provision/databases.ts";
import { tempFolder } from "../e2e/provision/temp-folder.ts";
import { startFailure } from "./start-failure.ts";
import { openDatabase } from "./store/database.ts";
import { startEmbeddedPostgres } from "./store/embedded/start-embedded-postgres.ts";
import { createStoreEnvironment } from "./store/testing/store-environment.ts";

const config = {
  port: 3_000,
  host: "0.0.0.0",
  databaseUrl: "postgres://x",
  databaseOwnerUrl: undefined,
  dataDir: "./data",
};

async function failureOf(connectionString: string): Promise<unknown> {
  const database = openDatabase({ connectionString, poolSize: 1, onError: () => {} });
  try {
    return await database.pool.query("select 1");
  } catch (error) {
    return startFailure(error, config);
  } finally {
    await database.close();
  }
}

async function listenFailure(host: string, port: number): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const server = createServer().on("error", resolve).listen(port, host);
  try {
    return startFailure(await promise, { ...config, host, port });
  } finally {
    server.close();
  }
}

describe("a server that can't start", () => {
  it("reports in one sentence that the database is not there", async () => {
    const where = /^The database at DATABASE_URL can't be used: /;
    expect(await failureOf("postgres://a:b@127.0.0.1:1/x")).toMatch(where);
    expect(await failureOf("postgres://a:b@nowhere.invalid/x")).toMatch(where);
  });

  it.each(databases)("says which database is missing, and no password ($name)", async (kind) => {
    const made = await kind.create();
    const missing = new URL(made.url);
    await made.drop();
    missing.pathname = "/not_there";
    expect(await failureOf(missing.href)).toBe(
      'The database at DATABASE_URL can\'t be used: database "not_there" does not exist.',
    );
  });

  it("reports that HOST is not an address of this machine", async () => {
    expect(await listenFailure("999.1.1.1", 0)).toMatch(/^The server can't listen on 999.1.1.1/);
  });

  it("reports that a file is in place of the data folder", async () => {
    const folder = await tempFolder();
    const file = join(folder.path, "file");
    await writeFile(file, "");
    const log = pino({ level: "silent" });
    for (const dataDir of [file, join(file, "below")]) {
      const failure = await startEmbeddedPostgres({ dataDir, log }).catch((e) => e);
      const settings = { ...config, databaseUrl: undefined, dataDir };
      expect(startFailure(failure, settings)).toMatch(/can't be a folder: something else is there/);
    }
    folder.drop();
  });

  it("shows an unforeseen error unchanged", () => {
    const error = new Error("unforeseen");
    expect(startFailure(error, config)).toBe(error);
  });

  it.each(databases)("says what the role of the database may not do ($name)", async (kind) => {
    await using environment = await createStoreEnvironment(kind);
    const admin = new pg.Client({ connectionString: await adminUrlOf(kind, environment.url) });
    await admin.connect();
    const role = `weak_${Date.now()}`;
    await admin.query(`create role ${role} login password 'weak'`);
    const weak = new URL(environment.url);
    weak.username = role;
    weak.password = "weak";
    const file = "/nowhere/to/write.backup";
    for (const args of [["start"], ["backup", file]]) {
      const ended = await runProgram(args, { DATABASE_URL: weak.href, PORT: "0" });
      expect(ended.code, args[0]).toBe(1);
      expect(ended.err).toMatch(
        /^The database at DATABASE_URL can't be used: permission denied for schema watchfloor\.\n$/,
      );
    }
    await admin.query(`drop role ${role}`);
    await admin.end();
  });

  it.each(databases)("says that a newer version used the database ($name)", async (kind) => {
    await using environment = await createStoreEnvironment(kind);
    await environment.database.pool.query(
      "insert into watchfloor.migration (name, timestamp) values ('9999-of-the-future', '')",
    );
    for (const args of [["start"], ["backup", "/nowhere/to/write.backup"]]) {
      const started = { DATABASE_URL: environment.url, PORT: "0" };
      const ended = await runProgram(args, started);
      expect(ended.code, args[0]).toBe(1);
      expect(ended.err).toMatch(
        /^The database was brought up to date by a newer Watchfloor \(9999-of-the-future\)\. .*\n$/,
      );
    }
  });

  it("leaves the database of a build before the first release as it is, and says how to go on", async () => {
    await using environment = await createStoreEnvironment(anyDatabase);
    const { pool } = environment.database;
    const before = "0001-change-log";
    await pool.query("delete from watchfloor.migration where name <> 'schema-1'");
    await pool.query("update watchfloor.migration set name = $1", [before]);
    const ended = await runProgram(["start"], { DATABASE_URL: environment.url, PORT: "0" });
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(
      /^The database has the schema of .*\(npm run backup\).*\(npm run restore\)/,
    );
    const { rows } = await pool.query("select name from watchfloor.migration");
    expect(rows).toEqual([{ name: before }]);
  });

  it("says that the database does not speak TLS, and which variables may be wrong", () => {
    const failure = startFailure(new Error("The server does not support SSL connections"), {
      ...config,
      databaseOwnerUrl: "postgres://y",
    });
    expect(failure).toBe(
      "The database at DATABASE_URL or DATABASE_OWNER_URL can't be used: The server does not support SSL connections.",
    );
  });
});

/** The superuser of the server on which a database is. */
async function adminUrlOf(kind: (typeof databases)[number], url: string): Promise<string> {
  const other = await kind.create();
  await other.drop();
  return Object.assign(new URL(other.adminUrl), { pathname: new URL(url).pathname }).href;
}
