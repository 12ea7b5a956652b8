import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { embeddedDatabase } from "../../../e2e/provision/databases.ts";
import { createSecretBox } from "../../auth/secret-box.ts";
import { readConfig } from "../../config/config.ts";
import { openDatabase } from "../../store/database.ts";
import { checkDatabase } from "./check-database.ts";
import { openDoctor, secretKey } from "./testing/open-doctor.ts";

/** Each test plants a fault, and expects that the doctor names it, and how to remove it. */

const { store, admin, folder, environment, found, close } = await openDoctor();
afterAll(close);

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

describe("watchfloor doctor finds in the settings", () => {
  it("nothing in a sound installation, but that there is no backup yet", async () => {
    expect(await found()).toEqual([expect.stringContaining("There is no scheduled backup yet.")]);
  });

  it.each([
    ["a variable that can't be used", { PORT: "99999" }, /^fault settings: PORT can't be used/],
    [
      "a name that is no setting",
      { WATCHFLOOR_SECRT_KEY: "x" },
      /^fault settings: WATCHFLOOR_SECRT_KEY is not a setting/,
    ],
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
    [
      "mail whose links would lead nowhere",
      { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "desk@example.com" },
      /^fault mail: .*PUBLIC_URL is not/,
    ],
    ["a public address with a path", { PUBLIC_URL: "http://localhost/desk" }, /^fault .*no path/],
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
    const reached = await found({ ...changed, PUBLIC_URL: `http://127.0.0.1:${own}` });
    // This one answers upgrades like any request.
    one(
      reached,
      /^fault live-connection: .*no WebSocket can be opened: the upgrade is answered 200/,
    );
    one(reached, /^fault pages: .*the page \/ can't be loaded: another page/);
    expect(reached).toHaveLength(3);
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

  it("a role that can't create what the server needs, and tables of other programs", async () => {
    const empty = await embeddedDatabase.create();
    const superuser = new pg.Client({ connectionString: empty.adminUrl });
    await superuser.connect();
    try {
      const of = () => found({ DATABASE_URL: empty.url });
      const sound = (await of()).join("\n");
      expect(sound).not.toMatch(/ rights:| schema:/);
      const name = new URL(empty.url).pathname.slice(1);
      await superuser.query(`create table "Their orders" (id int primary key);
        alter database "${name}" owner to current_user; grant select on "Their orders" to public`);
      const findings = await of();
      one(findings, /^fault rights: .*DATABASE_URL may not create schema watchfloor.*owner to/);
      one(findings, /^fault rights: .*may not create tables in schema public/);
      one(findings, /^warning schema: .*of other programs: "Their orders".*WATCHFLOOR_TEMPLATE/);
    } finally {
      await superuser.end();
      await empty.drop();
    }
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

  it("disabled triggers of Watchfloor's own tables", async () => {
    one(
      await planted(
        "alter table watchfloor.marker disable trigger number_changes",
        "alter table watchfloor.marker enable always trigger number_changes",
      ),
      /^fault capture: Triggers of Watchfloor's own tables are disabled: watchfloor\.marker number_changes/,
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

  it("a column that another program has renamed", async () => {
    const plant = "alter table incidents rename column notes to remarks";
    const found = await planted(plant, "alter table incidents rename column remarks to notes");
    one(found, /^fault model: Table incidents no longer fits the model: column notes is missing\./);
  });

  it.each([
    ["certificate", /^warning webhooks: Webhook Pager .* pager\.lan: nobody .*NODE_EXTRA_CA_CERTS/],
    ["certificate_expired", /^warning webhooks: .*has expired.*renewed/],
    ["certificate_name", /^warning webhooks: .*another name/],
  ])("a receiver of webhooks that is not accepted: %s", async (error, pattern) => {
    const plant = `insert into watchfloor.webhook (id, name, url, table_name, events, owner, secret, epoch, seq)
        values ('w', 'Pager', 'https://pager.lan/hook', 'incidents', '["created"]', 'ana', 'plain:s', 'e', 0);
      insert into watchfloor.delivery (id, webhook, kind, state, error, attempted_at)
        values ('d1', 'w', 'change', 'retrying', '${error}', now()), ('d2', 'w', 'change', 'due', null, null)`;
    one(await planted(plant, "delete from watchfloor.webhook"), pattern);
    const delivered = plant.replaceAll(`'retrying', '${error}'`, "'delivered', null");
    const found = await planted(delivered, "delete from watchfloor.webhook");
    expect(found).not.toContainEqual(expect.stringMatching(/^warning webhooks/));
  });

  it("a wrong secret key", async () => {
    await admin.query(
      `insert into watchfloor."user" (id, email, name, role, colour, status)
       values ('u-doctor', 'd@x.org', 'D', 'viewer', 'blue', 'active')`,
    );
    const of = createSecretBox(secretKey).encrypt("a secret", "u-doctor");
    await admin.query("insert into watchfloor.totp (user_id, secret) values ('u-doctor', $1)", [
      of,
    ]);
    const other = "pZ8w2LkX5vNq1TrY7mHd3JcF9sBgA6eU";
    one(await found({ WATCHFLOOR_SECRET_KEY: other }), /^fault secret-key: .*is not the key/);
    expect((await found()).join()).not.toContain("secret-key");
    const ofOther = createSecretBox(other).encrypt("a secret", "provider:company");
    const plant = `insert into watchfloor.identity_provider (id, name, issuer, client_id, client_secret, options)
      values ('company', 'Company', 'http://127.0.0.1:9', 'desk', '${ofOther}', '{}')`;
    one(
      await planted(plant, "delete from watchfloor.identity_provider"),
      /^fault secret-key: .*: the client secrets of the providers “Company”\..*leave the file secret-key as it is/,
    );
    await admin.query(`delete from watchfloor."user" where id = 'u-doctor'`);
  });
});
