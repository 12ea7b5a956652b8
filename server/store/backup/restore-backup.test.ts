import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../../../e2e/harness/run-program.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { type TempFolder, tempFolder } from "../../../e2e/provision/temp-folder.ts";
import { createSecretBox } from "../../auth/secret-box.ts";
import { type Database, openDatabase } from "../database.ts";
import {
  createMigrated,
  createStoreEnvironment,
  type StoreEnvironment,
} from "../testing/store-environment.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

const KEY = "a key of thirty-two characters or more";
const GENERATION = 2n ** 44n;

describe.each(databases)("restoring a backup on $name", (kind) => {
  let source: StoreEnvironment;
  let folder: TempFolder;
  let file: string;

  beforeAll(async () => {
    folder = await tempFolder();
    file = `${folder.path}/backup`;
    source = await createStoreEnvironment(kind);
    const { pool } = source.database;
    await pool.query(`insert into incidents (id, number, title, state)
      values ('i1', 'N1', E'a\\ttab, a \\\\ and\\na line', 'New'), ('i2', 'N2', null, 'New'), ('gone', 'N0', null, 'New');
      -- The last number is in the log alone.
      delete from incidents where id = 'gone'`);
    await pool.query(`insert into watchfloor."user" (id, email, name, colour, role, status)
      values ('u1', 'u1@example.com', 'Una', 'red', 'owner', 'active')`);
    await pool.query("insert into watchfloor.totp (user_id, secret) values ('u1', $1)", [
      createSecretBox(KEY).encrypt("secret", "u1"),
    ]);
    await pool.query(`
      insert into watchfloor.delivery (id, kind, user_id, record, type, state)
      values ('sent', 'mail', 'u1', 'u1', 'digest', 'delivered'), ('open', 'mail', 'u1', 'u1', 'digest', 'retrying');
      insert into watchfloor.inbox_entry (user_id, cause, table_id, record, mail, mail_since)
      values ('u1', 'watch', 'incidents', 'i1', 'daily', now());
      insert into watchfloor.watch (id, user_id, table_id, record) values ('w1', 'u1', 'incidents', 'i1');
      insert into watchfloor.identity_provider (id, name, issuer, client_id, client_secret, options)
      values ('company', 'Company', 'https://sso.example.com', 'desk', 'plain:secret', '{}');
      insert into watchfloor.linked_account (issuer, subject, user_id, provider)
      values ('https://sso.example.com', 's1', 'u1', 'company');
      insert into watchfloor.view (id, table_name, name, shared, look, order_version)
      values ('v1', 'incidents', 'By hand', true, '{}', 7);
      insert into watchfloor.record_rank (view, record, rank) values ('v1', 'i2', 0.00000000000000000123);
      insert into watchfloor.session (id, user_id, ip, user_agent, provider, issuer, subject)
      values ('hash', 'u1', '', '', 'company', 'https://sso.example.com', 's1')`);
    await writeBackup(source.database, file, "1.2.3");
  });
  afterAll(async () => {
    await source?.[Symbol.asyncDispose]();
    folder?.drop();
  });

  /** A fresh database for a restore; empty, or with the schema of a server that was not set up. */
  async function withTarget(
    work: (target: Database, url: string) => Promise<void>,
    create = () => kind.create(),
  ): Promise<void> {
    const own = await create();
    const target = openDatabase({ connectionString: own.url, poolSize: 2, onError: () => {} });
    await work(target, own.url).finally(() => target.close());
    await own.drop();
  }
  const titles = async ({ pool }: Database) =>
    (await pool.query("select id, title from incidents order by id")).rows;
  const entries = async ({ pool }: Database) =>
    (
      await pool.query({
        text: "select id, watchfloor_entry from incidents order by watchfloor_entry",
        rowMode: "array",
      })
    ).rows as [string, number][];
  const hasSchema = async ({ pool }: Database) =>
    (await pool.query("select from pg_namespace where nspname = 'watchfloor'")).rows.length > 0;

  it("restores texts exactly, and captures what is written afterwards", async () => {
    await withTarget(async (target) => {
      await restoreBackup(target, file, { replace: false });
      expect(await titles(target)).toEqual([
        { id: "i1", title: "a\ttab, a \\ and\na line" },
        { id: "i2", title: null },
      ]);
      await target.pool.query("update incidents set title = 'after' where id = 'i2'");
      const { rows } = await target.pool.query(
        "select kind, after ->> 'title' as title from watchfloor.change where record = 'i2' order by ord",
      );
      expect(rows).toEqual([
        { kind: "insert", title: null },
        { kind: "update", title: "after" },
      ]);
    });
  });

  it("restores inboxes and watches, and mails nothing of what waited", async () => {
    await withTarget(async (target) => {
      await restoreBackup(target, file, { replace: false });
      const all = async (text: string) =>
        (await target.pool.query({ text, rowMode: "array" })).rows;
      expect(await all("select id, state from watchfloor.delivery order by id")).toEqual([
        ["open", "skipped"],
        ["sent", "delivered"],
      ]);
      const entries = "select user_id, cause, record, mail from watchfloor.inbox_entry";
      expect(await all(entries)).toEqual([["u1", "watch", "i1", "off"]]);
      expect(await all("select id, record from watchfloor.watch")).toEqual([["w1", "i1"]]);
      // What was logged before is not noticed again.
      const positions = `select f.head = p.seq from watchfloor.inbox_position p
        join watchfloor.feed f on f.id = p.feed where f.head > 0`;
      for (const [isAtHead] of await all(positions)) expect(isAtHead).toBe(true);
    });
  });

  it("restores providers and the accounts that were linked, and no session", async () => {
    await withTarget(async (target) => {
      await restoreBackup(target, file, { replace: false });
      const { rows } = await target.pool.query(`
        select p.id, l.user_id, (select count(*)::int from watchfloor.session) as sessions
        from watchfloor.identity_provider p join watchfloor.linked_account l on l.issuer = p.issuer`);
      expect(rows).toEqual([{ id: "company", user_id: "u1", sessions: 0 }]);
    });
  });

  it("restores the order by hand of a view", async () => {
    await withTarget(async (target) => {
      await restoreBackup(target, file, { replace: false });
      const { rows } = await target.pool.query(
        `select record, rank::text, order_version from watchfloor.record_rank
          join watchfloor.view on view.id = view`,
      );
      const rank = "0.00000000000000000123";
      expect(rows).toEqual([{ record: "i2", rank, order_version: 7 }]);
    });
  });

  it("restores the order of entry, and lets it go on behind all numbers that were given", async () => {
    await withTarget(async (target) => {
      await restoreBackup(target, file, { replace: false });
      const { rows } = await target.pool.query(
        "insert into incidents (id, number) values ('a', 'N3') returning watchfloor_entry as entry",
      );
      expect(await entries(target)).toEqual([...(await entries(source.database)), ["a", 4]]);
      expect(rows).toEqual([{ entry: 4 }]);
    });
  });

  it("numbers the records of a backup from before the order of entry as its log has them", async () => {
    await withTarget(async (target) => {
      const former = fileURLToPath(new URL("../../../e2e/upgrade/fixture/backup", import.meta.url));
      await restoreBackup(target, former, { replace: false });
      const { rows } = await target.pool.query(`
        select count(*)::int as records, count(*) filter (where ord < previous)::int as misplaced from (
          select c.ord, lag(c.ord) over (order by i.watchfloor_entry) as previous from incidents i left join (
            select c.record, min(c.ord) as ord from watchfloor.change c join watchfloor.feed f on f.id = c.feed
            where f.table_name = 'incidents' and c.kind = 'insert' group by 1) c on c.record = i.id
        ) placed`);
      expect(rows).toEqual([{ records: expect.any(Number), misplaced: 0 }]);
      const [{ records } = { records: 0 }] = rows as { records: number }[];
      expect(await entries(target)).toHaveLength(records);
      expect((await entries(target)).at(-1)?.[1]).toBe(records);
    });
  });

  it("gives transactions of each former database numbers that no later one has", async () => {
    await withTarget(async (target) => {
      const again = `${folder.path}/again`;
      const generations = async () => {
        const { rows } = await sql<{ tx: string }>`
          select distinct tx::text as tx from watchfloor.numbering`.execute(target.kysely);
        return [...new Set(rows.map(({ tx }) => Number(BigInt(tx) / GENERATION)))].sort();
      };
      await restoreBackup(target, file, { replace: false });
      expect(await generations()).toEqual([1]);
      await target.pool.query("update incidents set title = 'after'");
      expect(await generations()).toEqual([0, 1]);
      await writeBackup(target, again, "1");
      await restoreBackup(target, again, { replace: true });
      expect(await generations()).toEqual([1, 2]);
    });
  });

  it("accepts the database of a server that was not set up", async () => {
    await withTarget(
      async (target) => {
        await restoreBackup(target, file, { replace: false });
        expect(await titles(target)).toHaveLength(2);
      },
      () => createMigrated(kind),
    );
  });

  it("leaves the tables of other programs alone", async () => {
    await withTarget(async (target) => {
      await target.pool.query("create table incidents (mine text)");
      await expect(restoreBackup(target, file, { replace: true })).rejects.toThrow(
        /^The database already has "incidents", which Watchfloor did not create\./,
      );
      expect(await hasSchema(target)).toBe(false);
      await target.pool.query("alter table incidents rename to notes");
      await target.pool.query("insert into notes values ('one')");
      await restoreBackup(target, file, { replace: false });
      await restoreBackup(target, file, { replace: true });
      expect((await target.pool.query("select mine from notes")).rows).toEqual([{ mine: "one" }]);
    });
  });

  it("changes nothing if another program depends on what would be replaced", async () => {
    await withTarget(async (target) => {
      await restoreBackup(target, file, { replace: false });
      await target.pool.query("update incidents set title = 'stays'");
      const refused = async (text: RegExp) => {
        await expect(restoreBackup(target, file, { replace: true })).rejects.toThrow(text);
        expect(await titles(target)).toMatchObject([{ title: "stays" }, { title: "stays" }]);
      };
      await target.pool.query("create view report as select title from incidents");
      await refused(
        /^Objects of another program depend on .*view report depends on table incidents/,
      );
      await target.pool.query("drop view report");
      await target.pool.query("create view audit as select * from watchfloor.change");
      await refused(/^The view audit reads tables that would be replaced: drop it first\./);
      await target.pool.query("drop view audit");
      await target.pool.query(`create table shifts (who text references watchfloor."user")`);
      await refused(/^The foreign key shifts_who_fkey of shifts refers to tables that would be/);
    });
  });

  it("leaves the sequences of other programs alone, also those of columns that they added", async () => {
    await withTarget(async (target) => {
      await restoreBackup(target, file, { replace: false });
      await target.pool.query(`create sequence tickets;
        alter table incidents add column ticket bigint default nextval('tickets'), add column line serial`);
      await restoreBackup(target, file, { replace: true });
      expect(await titles(target)).toHaveLength(2);
      const { rows } = await target.pool.query("select nextval('tickets') >= 3 as goes_on");
      expect(rows).toEqual([{ goes_on: true }]);
    });
  });

  it("changes nothing if the file turns out to be damaged only while it is restored", async () => {
    const damaged = `${folder.path}/damaged`;
    const bytes = await readFile(file);
    bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
    await writeFile(damaged, bytes);
    await withTarget(async (target) => {
      await expect(restoreBackup(target, damaged, { replace: false })).rejects.toThrow(
        "is damaged",
      );
      expect(await hasSchema(target)).toBe(false);
    });
  });

  it("names columns that are not in the model, in the backup and in the restore", async () => {
    await source.database.pool.query("alter table incidents add column extra text");
    const other = `${folder.path}/with-extra`;
    const made = await runProgram(["backup", other], {
      DATABASE_URL: source.url,
    });
    await source.database.pool.query("alter table incidents drop column extra");
    expect(made.out).toMatch(/Not in the backup, .*: incidents\.extra\.\n$/);
    await withTarget(async (_, url) => {
      const restored = await runProgram(["restore", other], {
        DATABASE_URL: url,
        WATCHFLOOR_SECRET_KEY: KEY,
      });
      expect(restored).toMatchObject({ code: 0, err: "" });
      expect(restored.out).toMatch(/incidents\.extra\.\n$/);
    });
  });

  it.each([
    [
      "",
      /^The secret key \(.*\) is not there, and it was when the backup was made: .*: the authenticator apps of 1 user\.\n$/,
    ],
    [
      KEY.toUpperCase(),
      /^The secret key \(.*\) is another one than when the backup was made: .*: the authenticator apps of 1 user\.\n$/,
    ],
  ])(
    "says what has to be set up again, as the key %j is not that of the second factors",
    async (key, sentence) => {
      await withTarget(async (_, url) => {
        const environment = { DATABASE_URL: url, WATCHFLOOR_SECRET_KEY: key };
        const restored = await runProgram(["restore", file], environment);
        expect(restored.code).toBe(0);
        expect(restored.err).toMatch(sentence);
      });
    },
  );

  it("says that a part of the secrets was encrypted with another key than the given one", async () => {
    const { pool } = source.database;
    const secret = createSecretBox(KEY.toUpperCase()).encrypt("signs", "webhook:w-other");
    await pool.query(
      `insert into watchfloor.webhook
        (id, name, url, table_name, events, owner, secret, paused, epoch, seq)
      values ('w-other', 'Pager', 'https://pager.lan', 'incidents', '[]', 'u1', $1, true, '', 0)`,
      [secret],
    );
    const other = `${folder.path}/with-two-keys`;
    await runProgram(["backup", other], { DATABASE_URL: source.url });
    await pool.query("delete from watchfloor.webhook where id = 'w-other'");
    await withTarget(async (_, url) => {
      const environment = { DATABASE_URL: url, WATCHFLOOR_SECRET_KEY: KEY };
      const restored = await runProgram(["restore", other], environment);
      expect(restored.code).toBe(0);
      expect(restored.err).toMatch(
        / is not the only one .*: the secrets of the webhooks “Pager”\.\n$/,
      );
    });
  });
});
