import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../../../e2e/harness/run-program.ts";
import { databases, sharedRedisUrl } from "../../../e2e/provision/databases.ts";
import { freePort } from "../../../e2e/provision/free-port.ts";
import { startRedis } from "../../../e2e/provision/redis.ts";
import { type TempFolder, tempFolder } from "../../../e2e/provision/temp-folder.ts";
import { createSecretBox } from "../../auth/secret-box.ts";
import { readConfig } from "../../config/config.ts";
import { openDatabase } from "../../store/database.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../../store/testing/store-environment.ts";
import { checkDatabase } from "./check-database.ts";
import { findFaults } from "./doctor-command.ts";

/** Each test plants a fault, and expects that the doctor names it, and how to remove it. */

/** Its role is an ordinary one. */
const embedded = databases[0] as (typeof databases)[number];
const KEY = "kT3v9QmZ1xLw7RyB5nHc2JdF8sPgA4eU";

let store: StoreEnvironment;
let admin: pg.Client;
let folder: TempFolder;
let port: number;
beforeAll(async () => {
  store = await createStoreEnvironment(embedded);
  admin = new pg.Client({ connectionString: store.adminUrl });
  await admin.connect();
  folder = await tempFolder();
  port = await freePort();
});
afterAll(async () => {
  await admin.end();
  await store[Symbol.asyncDispose]();
  folder.drop();
});

/** An environment without a fault, but for what a test changes. */
const environment = (changed: Record<string, string> = {}) => ({
  DATABASE_URL: store.url,
  HOST: "127.0.0.1",
  PORT: String(port),
  WATCHFLOOR_SECRET_KEY: KEY,
  WATCHFLOOR_BACKUP_DIR: folder.path,
  ...changed,
});

/** What is found with a planted fault, as `level check: message advice`. */
async function found(changed: Record<string, string> = {}): Promise<string[]> {
  const findings = await findFaults(environment(changed));
  const texts = findings.map(
    ({ check, level, message, advice }) => `${level} ${check}: ${message} ${advice}`,
  );
  // The Postgres of the tests runs without fsync, which is a fault, too.
  return texts.filter((text) => !/ = off: after a power failure| = off: an edit/.test(text));
}

async function planted(plant: string, remove: string): Promise<string[]> {
  await admin.query(plant);
  try {
    return await found();
  } finally {
    await admin.query(remove);
  }
}

const one = (findings: string[], pattern: RegExp) =>
  expect(findings).toContainEqual(expect.stringMatching(pattern));

async function onRedis(url: string, ...commands: string[][]): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  for (const command of commands) await client.sendCommand(command);
  client.destroy();
}

const setPassword = (url: string, password: string) =>
  onRedis(url, ["CONFIG", "SET", "requirepass", password]);

describe("watchfloor doctor finds in the settings", () => {
  it("nothing in a sound installation, but that there is no backup yet", async () => {
    expect(await found()).toEqual([expect.stringContaining("There is no scheduled backup yet.")]);
  });

  it.each([
    ["a variable that can't be used", { PORT: "99999" }, /^fault settings: PORT can't be used/],
    ["no secret key", { WATCHFLOOR_SECRET_KEY: "" }, /^warning secret-key: .*not set.*openssl/],
    [
      "a weak secret key",
      { WATCHFLOOR_SECRET_KEY: "abcabcabcabcabcabcabcabcabcabcabcabc" },
      /^fault secret-key: .*easy to guess/,
    ],
    [
      "http in production",
      { PUBLIC_URL: "http://desk.example.com" },
      /^fault public-url: .*passwords and sessions can be read.*TLS/,
    ],
    [
      "a proxy that is not trusted",
      { PUBLIC_URL: "https://desk.example.com" },
      /^fault public-url: .*TRUST_PROXY is not set/,
    ],
    ["a public address with a path", { PUBLIC_URL: "http://localhost/desk" }, /^fault .*a path/],
    ["a missing public address", { HOST: "0.0.0.0" }, /^warning public-url: PUBLIC_URL is not set/],
    [
      "a backup folder that can't be written to",
      { WATCHFLOOR_BACKUP_DIR: "/etc/passwd/backups" },
      /^fault backup: .*can't be written to/,
    ],
  ])("%s", async (_, changed, pattern) => {
    one(await found(changed as Record<string, string>), pattern);
  });
});

describe("watchfloor doctor finds on the machine", () => {
  let other: Server;
  let taken: string;
  beforeAll(async () => {
    other = createServer((_request, response) => response.end("something else"));
    await new Promise<void>((done) => void other.listen(0, "127.0.0.1", done));
    taken = String((other.address() as AddressInfo).port);
  });
  afterAll(() => void other.close());

  it("a port that another program uses", async () => {
    one(await found({ PORT: taken }), /^fault port: .*taken by another program.*free one/);
  });

  it("a public address that does not lead to the running server", async () => {
    const ours = createServer((_request, response) => response.end('{"ok":true}'));
    await new Promise<void>((done) => void ours.listen(0, "127.0.0.1", done));
    const { port: own } = ours.address() as AddressInfo;
    const changed = { PORT: String(own), PUBLIC_URL: `http://127.0.0.1:${taken}` };
    one(await found(changed), /^warning public-url: The server runs, but PUBLIC_URL/);
    expect(await found({ ...changed, PUBLIC_URL: `http://127.0.0.1:${own}` })).toHaveLength(1);
    ours.close();
  });

  it("a data folder that others may enter", async () => {
    const data = `${folder.path}/data`;
    mkdirSync(`${data}/postgres`, { recursive: true });
    chmodSync(`${data}/postgres`, 0o755);
    writeFileSync(`${data}/postgres/connection`, "postgres://localhost:1/none", { mode: 0o644 });
    const { checkDataFolder } = await import("./check-machine.ts");
    const findings = await checkDataFolder({ databaseUrl: undefined, dataDir: data });
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining("(mode 0755)"),
      expect.stringContaining("(mode 0644)"),
    ]);
    expect(findings[0]?.advice).toBe(`Run: chmod go-rwx '${data}/postgres'`);
  });
});

describe("watchfloor doctor finds in Postgres", () => {
  it.each([
    ["no server", () => new URL("postgres://somebody@127.0.0.1:1/none")],
    ["an unknown role", (url: URL) => Object.assign(url, { username: "nobody_here" })],
    ["a missing database", (url: URL) => Object.assign(url, { pathname: "/nothing_here" })],
  ])("%s", async (_, change) => {
    const findings = await found({ DATABASE_URL: change(new URL(store.url)).href });
    one(findings, /^fault postgres: The database at DATABASE_URL can't be used: .*pg_hba/);
  });

  it("a role that is a superuser", async () => {
    one(await found({ DATABASE_URL: store.adminUrl }), /^warning postgres: .*is a superuser/);
  });

  it("tables of another owner, and ones that the role may not use", async () => {
    const role = decodeURIComponent(new URL(store.url).username);
    const findings = await planted(
      `alter table public.groups owner to current_user; revoke all on public.groups from "${role}"`,
      `alter table public.groups owner to "${role}"`,
    );
    one(findings, /^fault rights: Tables belong to another role .*groups/);
    one(findings, /^fault rights: The role of DATABASE_URL may not read and write: public\.groups/);
  });

  it("capture triggers that are missing or disabled", async () => {
    one(
      await planted(
        "alter table public.groups disable trigger watchfloor_update",
        "alter table public.groups enable trigger watchfloor_update",
      ),
      /^fault capture: Changes are not captured: triggers of groups/,
    );
  });

  it("a schema that is newer than the program", async () => {
    one(
      await planted(
        "insert into watchfloor.migration (name, timestamp) values ('9999-future', '')",
        "delete from watchfloor.migration where name = '9999-future'",
      ),
      /^fault schema: .*newer Watchfloor \(9999-future\).*restore a backup/,
    );
  });

  it("a clock that differs", async () => {
    const config = readConfig(environment());
    for (const [aheadMs, level] of [
      [10_000, "warning"],
      [-120_000, "fault"],
    ] as const) {
      const { findings } = await checkDatabase(config, () => Date.now() + aheadMs);
      expect(findings.filter(({ check }) => check === "clock")).toMatchObject([{ level }]);
    }
  });

  it("transactions that are open for long, and given-up slots of replication", async () => {
    const { evaluateTransactions } = await import("./evaluate-facts.ts");
    const { readLongTransactions, readIdleSlots } = await import(
      "../../store/doctor/read-facts.ts"
    );
    // An ordinary role sees that others' transactions are there, but not since when.
    const reader = openDatabase({
      connectionString: store.adminUrl,
      poolSize: 1,
      onError: () => {},
    });
    await admin.query("begin; select txid_current()");
    try {
      const open = await readLongTransactions(reader.kysely, 0);
      const [finding] = evaluateTransactions(open, ["given up"]);
      expect(finding?.message).toMatch(/is open and idle|runs/);
      expect(finding?.advice).toMatch(/pg_terminate_backend\(\d+\)/);
      expect(evaluateTransactions([], ["given up"])).toMatchObject([{ level: "fault" }]);
    } finally {
      await admin.query("rollback");
      await reader.close();
    }
    expect(await readIdleSlots(store.database.kysely)).toEqual([]);
  });

  it("a secret key that is another one", async () => {
    await admin.query(
      `insert into watchfloor."user" (id, email, name, role, colour, status)
       values ('u-doctor', 'd@x.org', 'D', 'viewer', 'blue', 'active')`,
    );
    const of = createSecretBox(KEY).encrypt("a secret", "u-doctor");
    await admin.query("insert into watchfloor.totp (user_id, secret) values ('u-doctor', $1)", [
      of,
    ]);
    const other = "pZ8w2LkX5vNq1TrY7mHd3JcF9sBgA6eU";
    one(await found({ WATCHFLOOR_SECRET_KEY: other }), /^fault secret-key: .*is not the key/);
    expect((await found()).join()).not.toContain("secret-key");
    await admin.query(`delete from watchfloor."user" where id = 'u-doctor'`);
  });
});

describe("watchfloor doctor finds of Redis", () => {
  it("that it is away", async () => {
    const findings = await found({ REDIS_URL: `redis://127.0.0.1:${port}` });
    one(findings, /^fault redis: Redis at 127\.0\.0\.1:\d+ does not answer.*REDIS_URL/);
  });

  it("a wrong password, and keys of other programs", async () => {
    const redis = await startRedis();
    expect((await found({ REDIS_URL: redis.url })).join()).not.toContain("redis");
    await onRedis(redis.url, ["SET", "a key of", "another program"]);
    one(await found({ REDIS_URL: redis.url }), /^warning redis: .*holds 1 keys of other programs/);
    await setPassword(redis.url, "right");
    const wrong = { REDIS_URL: redis.url, REDIS_PASSWORD: "wrong" };
    one(await found(wrong), /^fault redis: .*refuses the password/);
    one(await found({ REDIS_URL: redis.url }), /^fault redis: .*refuses the password/);
    await redis.close();
  });

  it("no fault where tests of other installations use it too", async () => {
    const findings = await found({ REDIS_URL: sharedRedisUrl() });
    expect(findings.filter((text) => /^fault redis/.test(text))).toEqual([]);
  });
});

describe("the program", () => {
  it("names all of eleven faults that are there at once", async () => {
    await using given = new AsyncDisposableStack();
    const redis = await startRedis();
    given.defer(() => redis.close());
    await setPassword(redis.url, "right");
    const other = createServer((_request, response) => response.end("something else"));
    await new Promise<void>((done) => void other.listen(0, "127.0.0.1", done));
    given.defer(() => void other.close());
    const secret = createSecretBox(KEY).encrypt("a secret", "u-planted");
    await admin.query(`
      insert into watchfloor."user" (id, email, name, role, colour, status)
        values ('u-planted', 'p@x.org', 'P', 'viewer', 'blue', 'active');
      insert into watchfloor.totp (user_id, secret) values ('u-planted', '${secret}');
      insert into watchfloor.security_event (kind, detail) values ('capture_bypassed', '{}');
      insert into watchfloor.scheduled_backup (attempted_at, ended_at, error)
        values (now(), now(), 'ENOSPC');
      alter table public.groups disable trigger watchfloor_update`);
    given.defer(async () => {
      await admin.query(`
        delete from watchfloor."user" where id = 'u-planted';
        delete from watchfloor.security_event; delete from watchfloor.scheduled_backup;
        alter table public.groups enable trigger watchfloor_update`);
    });
    const { code, out } = await runProgram("main.ts", ["doctor"], {
      ...environment({
        DATABASE_URL: store.adminUrl,
        PORT: String((other.address() as AddressInfo).port),
        PUBLIC_URL: "http://desk.example.com",
        WATCHFLOOR_SECRET_KEY: "pZ8w2LkX5vNq1TrY7mHd3JcF9sBgA6eU",
        WATCHFLOOR_BACKUP_DIR: "/etc/passwd/backups",
        WATCHFLOOR_OWNER_EMAIL: "owner@example.com",
        WATCHFLOOR_OWNER_PASSWORD: "correct horse battery",
        REDIS_URL: redis.url,
        REDIS_PASSWORD: "wrong",
      }),
    });
    expect(code).toBe(1);
    for (const pattern of [
      /fault +secret-key: .*is not the key/,
      /fault +public-url: .*passwords and sessions can be read/,
      /fault +port: .*taken by another program/,
      /fault +backup: .*can't be written to/,
      /fault +backup: The last scheduled backup failed/,
      /fault +capture: .*triggers of groups/,
      /fault +postgres: .*fsync = off/,
      /fault +redis: .*refuses the password/,
      /warning +capture: .*found changed without an entry/,
      /warning +postgres: .*is a superuser/,
      /warning +owner-password: /,
    ]) {
      expect(out).toMatch(pattern);
    }
  });

  it("prints what it found, as text or as JSON, and shows no password", async () => {
    const environmentOf = environment({
      DATABASE_URL: "postgres://somebody:hidden-word@127.0.0.1:1/none",
      REDIS_URL: "redis://:hidden-word@127.0.0.1:1",
      WATCHFLOOR_SECRET_KEY: "",
    });
    const text = await runProgram("main.ts", ["doctor"], environmentOf);
    expect([text.code, text.err]).toEqual([1, ""]);
    expect(text.out).toMatch(/^✗ fault {4}postgres: /);
    expect(text.out).toContain("2 faults, 1 warnings.");
    const json = await runProgram("main.ts", ["doctor", "--json"], environmentOf);
    const report = JSON.parse(json.out);
    expect(report).toMatchObject({ ok: false, findings: [{ check: "postgres" }, {}, {}] });
    expect(text.out + json.out).not.toContain("hidden-word");
  });
});
