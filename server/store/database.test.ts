import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { databases, systemOverTcp } from "../../e2e/provision/databases.ts";
import { freePort } from "../../e2e/provision/free-port.ts";
import { type Database, openDatabase } from "./database.ts";
import { endSocket } from "./end-socket.ts";
import { isUnreachable } from "./is-unavailable.ts";

async function endOthers(database: Database): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.kysely);
}

describe.each(databases)("a pool on $name", (kind) => {
  it("survives a connection that is lost in the middle of a transaction, or while idle", async () => {
    const scratch = await kind.create();
    const reportedErrors: string[] = [];
    const open = () => {
      const onError = (error: Error) => void reportedErrors.push(error.message);
      return openDatabase({ connectionString: scratch.url, poolSize: 2, onError });
    };
    const [database, other] = [open(), open()];
    // an unhandled 'error' event would fail this run, as it would end the server
    const lost = database.kysely.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await endOthers(other);
      await new Promise((done) => setTimeout(done, 200));
      await sql`select 1`.execute(transaction);
    });
    await expect(lost).rejects.toThrow();
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.kysely);
    expect(rows).toEqual([{ one: 1 }]);
    await endOthers(other);
    await expect.poll(() => reportedErrors.length).toBe(1);
    await sql`select 1`.execute(database.kysely);
    await Promise.all([database.close(), other.close()]);
    await scratch.drop();
  });
});

describe("every connection to a database", () => {
  // Over TCP: on a socket of the file system the keepalive in effect is always 0.
  const kind = systemOverTcp;
  const show = async (db: Pick<Database["pool"], "query">, names: readonly string[]) => {
    const { rows } = await db.query<{ value: string }>(
      "select current_setting(name) as value from unnest($1::text[]) with ordinality n(name, at) order by at",
      [names],
    );
    return rows.map(({ value }) => value);
  };

  it("lets Postgres notice that its server has vanished", async () => {
    const scratch = await kind.create();
    const options = { connectionString: scratch.url, poolSize: 1, onError: () => {} };
    const database = openDatabase(options);
    const reads = database.separatePool(1, { timeoutMs: 5_000 });
    const lock = await database.connect();
    const writer = await database.connect({ byKey: true, transactionIdleMs: 7_000 });
    const settings = ["idle_in_transaction_session_timeout", "tcp_keepalives_idle"];
    expect(await show(database.pool, settings)).toEqual(["1min", "10"]);
    expect(await show(reads.pool, settings)).toEqual(["1min", "10"]);
    expect(await show(lock, settings)).toEqual(["1min", "10"]);
    expect(await show(writer, settings)).toEqual(["7s", "10"]);
    await Promise.all([lock.end(), writer.end(), reads.close()]);
    await database.close();
    await scratch.drop();
  });

  it("has our settings, whatever the database's are", async () => {
    const scratch = await kind.create();
    const options = { connectionString: scratch.url, poolSize: 1, onError: () => {} };
    const others = {
      extra_float_digits: "-9",
      statement_timeout: "50ms",
      lock_timeout: "1ms",
      timezone: "Asia/Tokyo",
      datestyle: "German",
      bytea_output: "escape",
      default_transaction_isolation: "serializable",
      search_path: "watchfloor",
    };
    const names = Object.keys(others);
    const admin = openDatabase(options);
    for (const [name, value] of Object.entries(others)) {
      await admin.pool.query(`alter database ${scratch.name} set ${name} = '${value}'`);
    }
    await admin.close();
    const database = openDatabase(options);
    const ours = ["1", "0", "4s", "UTC", "ISO, DMY", "hex", "read committed", "public"];
    expect(await show(database.pool, names)).toEqual(ours);
    const reads = database.separatePool(1, { timeoutMs: 5_000 });
    expect((await show(reads.pool, names))[1]).toBe("5s");
    const own = await database.connect({ lockTimeoutMs: 70 });
    expect((await show(own, names))[2]).toBe("70ms");
    await own.end();
    await Promise.all([database.close(), reads.close()]);
    await scratch.drop();
  });

  it("reads counts, averages and times exactly, however few digits the database's settings leave", async () => {
    const scratch = await kind.create();
    const options = { connectionString: scratch.url, poolSize: 1, onError: () => {} };
    const admin = openDatabase(options);
    await admin.pool.query(`alter database ${scratch.name} set extra_float_digits = -12`);
    await admin.close();
    const measured = `select count(*)::float8 as count, avg(n)::float8 as average,
      (extract(epoch from timestamptz '2026-11-30 03:20:00.123+00') * 1000)::float8 as at
      from generate_series(1, 300003) n`;
    const plain = new pg.Client({ connectionString: scratch.url });
    await plain.connect();
    const { rows: rounded } = await plain.query(measured);
    expect(rounded).toMatchObject([{ count: 300_000 }]);
    await plain.end();
    const database = openDatabase(options);
    const reads = database.separatePool(1, { timeoutMs: 5_000 });
    const exact = { count: 300_003, average: 150_002, at: Date.UTC(2026, 10, 30, 3, 20, 0, 123) };
    for (const { pool } of [database, reads]) {
      expect((await pool.query(measured)).rows).toEqual([exact]);
    }
    await Promise.all([database.close(), reads.close()]);
    await scratch.drop();
  });

  it("ends its statement soon after its process has ended", async () => {
    const scratch = await kind.create();
    const database = openDatabase({
      connectionString: scratch.url,
      poolSize: 1,
      onError: () => {},
    });
    const client = await database.connect({ name: "long" });
    const running = client.query("select pg_sleep(600)").catch(() => "ended");
    const count = async () => {
      const { rows } = await database.pool.query(
        "select from pg_stat_activity where application_name = 'long' and query like '%pg_sleep%' and state = 'active'",
      );
      return rows.length;
    };
    await until("the statement runs", 30_000, async () => (await count()) === 1);
    endSocket(client);
    expect(await running).toBe("ended");
    await until("Postgres has ended it", 60_000, async () => (await count()) === 0);
    await database.close();
    await scratch.drop();
  });

  it("is given up once changes are refused, with all that are as old", async () => {
    const scratch = await kind.create();
    const onError = () => {};
    const database = openDatabase({ connectionString: scratch.url, poolSize: 1, onError });
    const reads = database.separatePool(1);
    const pidOf = async ({ pool }: Database) =>
      (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
    const old = [await pidOf(database), await pidOf(reads)];
    const own = await database.connect();
    const ended = new Promise<void>((resolve) => void own.once("end", resolve));
    await own.query("set default_transaction_read_only = on");
    const refused = own.query("create table t ()");
    await expect(refused).rejects.toSatisfy(isUnreachable);
    await ended;
    await expect.poll(() => pidOf(database)).not.toBe(old[0]);
    await expect.poll(() => pidOf(reads)).not.toBe(old[1]);
    await Promise.all([database.close(), reads.close()]);
    await scratch.drop();
  });

  it("is unavailable where changes are not accepted", async () => {
    const scratch = await kind.create();
    const onError = () => {};
    const admin = openDatabase({ connectionString: scratch.url, poolSize: 1, onError });
    await admin.pool.query(`alter database ${scratch.name} set default_transaction_read_only = on`);
    await admin.close();
    const database = openDatabase({ connectionString: scratch.url, poolSize: 1, onError });
    await expect(database.pool.query("select 1")).rejects.toSatisfy(isUnreachable);
    await expect(database.connect()).rejects.toThrow(/accepts no changes/);
    await database.close();
    await scratch.drop();
  });

  it("goes to the first of several hosts that accepts changes", async () => {
    const scratch = await kind.create();
    const { host, username, password, pathname } = new URL(scratch.url);
    const free = await freePort();
    const address = `postgres://${username}:${password}@127.0.0.1:${free},${host}${pathname}?target_session_attrs=read-write`;
    const database = openDatabase({ connectionString: address, poolSize: 1, onError: () => {} });
    const { rows } = await database.pool.query("select current_database() as name");
    expect(rows).toEqual([{ name: scratch.name }]);
    await database.close();
    const nowhere = address.replace(host, `127.0.0.1:${free}`);
    const none = openDatabase({ connectionString: nowhere, poolSize: 1, onError: () => {} });
    await expect(none.pool.query("select 1")).rejects.toThrow(/none of its hosts can be used/);
    await none.close();
    await scratch.drop();
  });
});
