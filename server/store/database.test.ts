import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { bothDatabases } from "../../e2e/provision/databases.ts";
import { type Database, openDatabase } from "./database.ts";

async function endOthers(database: Database): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.kysely);
}

describe.each(bothDatabases)("a pool on $name", (kind) => {
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

  it("lets Postgres notice on every connection that its server has vanished", async () => {
    const scratch = await kind.create();
    const options = { connectionString: scratch.url, poolSize: 1, onError: () => {} };
    const database = openDatabase(options);
    const reads = database.separatePool(1, { timeoutMs: 5_000 });
    const lock = await database.connect();
    const writer = await database.connect({ byKey: true, transactionIdleMs: 7_000 });
    // On a socket of the file system the keepalive in effect is always 0.
    const settings = async (db: Pick<typeof lock, "query">) => {
      const { rows } = await db.query<{ name: string; reset_val: string }>(
        `select name, reset_val from pg_settings
          where name in ('idle_in_transaction_session_timeout', 'tcp_keepalives_idle') order by name`,
      );
      return rows.map(({ reset_val }) => Number(reset_val));
    };
    expect(await settings(database.pool)).toEqual([60_000, 10]);
    expect(await settings(reads.pool)).toEqual([60_000, 10]);
    expect(await settings(lock)).toEqual([60_000, 10]);
    expect(await settings(writer)).toEqual([7_000, 10]);
    await Promise.all([lock.end(), writer.end(), reads.close()]);
    await database.close();
    await scratch.drop();
  });
});
