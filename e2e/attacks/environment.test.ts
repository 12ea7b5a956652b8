import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Config, ConfigError, readConfig } from "../../server/config/config.ts";
import { limitSettings, limitVariable } from "../../server/config/settings.ts";
import { startFailure } from "../../server/start-failure.ts";
import { startServer } from "../../server/start-server.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { anyDatabase, embeddedDatabase } from "../provision/databases.ts";
import { someCases } from "../provision/proof-size.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { oneLine, runServer } from "./testing/run-server.ts";

let folder: TempFolder;
let database: TestDatabase;
beforeAll(async () => {
  folder = await tempFolder();
  writeFileSync(join(folder.path, "file"), "");
  const created = await anyDatabase.create();
  if (!created) throw new Error("There is no database to test on.");
  database = created;
});
afterAll(async () => {
  await database.drop();
  folder.drop();
});

/** What the database holds besides what Postgres brings. */
async function objects(): Promise<number> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from pg_namespace where nspname = 'watchfloor'
     union all select count(*)::int from pg_class where relnamespace = 'public'::regnamespace`,
  );
  await client.end();
  return rows.reduce((sum, { n }) => sum + n, 0);
}

const refused: Record<string, Record<string, string>> = {
  "a port that is no number": { PORT: "http" },
  "a port of blanks": { PORT: "  " },
  "a port beyond the last": { PORT: "65536" },
  "an address with a line break": { HOST: "127.0.0.1\n" },
  "a database of another kind": { DATABASE_URL: "mysql://root@localhost/x" },
  "a database address without a host": { DATABASE_URL: "postgres://" },
  "a database address that can't be parsed": { DATABASE_URL: "postgres://:::/%zz" },
  "a database address with broken escapes": { DATABASE_URL: "postgres://a:%zz@127.0.0.1:1/x" },
  "a database port beyond the last": { DATABASE_URL: "postgres://a:b@127.0.0.1:99999/x" },
  "a database whose certificate is not there": {
    DATABASE_URL: "postgres://a:b@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/not/there",
  },
  "Redis at an address that can't be parsed": { REDIS_URL: "redis://:::" },
  "a public address that runs script": { PUBLIC_URL: "javascript:alert(1)" },
  "a public address without a host": { PUBLIC_URL: "https://" },
  "a public address with a query": { PUBLIC_URL: "https://desk.example.com/?a=b" },
  "a proxy that is no address": { TRUST_PROXY: "999.999.999.999" },
  "a proxy of letters that look like an address": { TRUST_PROXY: "fade" },
  "a network that is too wide": { TRUST_PROXY: "10.0.0.0/99" },
  "a group of proxies that nobody knows": { TRUST_PROXY: "loopback, everybody" },
  "a level that nobody knows": { LOG_LEVEL: "loud" },
  "a template that is not there": { WATCHFLOOR_TEMPLATE: "__proto__" },
  "an owner without a password": { WATCHFLOOR_OWNER_EMAIL: "a@example.com" },
  "an owner with a password that everybody knows": {
    WATCHFLOOR_OWNER_EMAIL: "a@example.com",
    WATCHFLOOR_OWNER_PASSWORD: "passwordpassword",
  },
  "a key that is too short": { WATCHFLOOR_SECRET_KEY: "short" },
  "a metrics token that is too short": { WATCHFLOOR_METRICS_TOKEN: "x" },
};

/** Why a start is refused, as the program prints it (server/start-command.ts), without a process for each, and what was logged. */
async function refusal(environment: Record<string, string>, logged: string[] = []) {
  const log = pino({}, { write: (line) => void logged.push(line) });
  let config: Config;
  try {
    config = readConfig({ HOST: "127.0.0.1", PORT: "0", ...environment });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  try {
    await (await startServer(config, log)).stop();
  } catch (error) {
    return startFailure(error, config);
  }
  return "started";
}

describe("a server with an invalid environment", () => {
  it.each(Object.entries(refused))(
    "is refused in one line for %s, and nothing is written",
    async (_, environment) => {
      const said = await refusal({ DATABASE_URL: database.url, ...environment });
      expect(said).toBeTypeOf("string");
      expect(said).not.toBe("started");
      expect(`${said}\n`).toMatch(oneLine);
      expect(await objects()).toBe(0);
    },
  );

  it.each(someCases(Object.entries(refused)))(
    "reports it in one line for %s, and ends",
    async (_, environment) => {
      const { code, output } = await runServer({ DATABASE_URL: database.url, ...environment });
      expect(output).toMatch(oneLine);
      expect(output).not.toMatch(/\n\s+at |node_modules/);
      expect(code).toBe(1);
      expect(await objects()).toBe(0);
    },
  );

  it("reports in one line that HOST is not an address of this machine", async () => {
    // As an ordinary role, and with a key: otherwise the server warns in a line of its own.
    const own = await embeddedDatabase.create();
    const { code, output } = await runServer({
      ...{ DATABASE_URL: own?.url ?? "", HOST: "999.1.1.1" },
      WATCHFLOOR_SECRET_KEY: "a key of at least 32 characters !",
    });
    await own?.drop();
    expect(output).toMatch(oneLine);
    expect(code).toBe(1);
  });

  it.each(someCases(["file", "file/below"]))(
    "reports in one line that DATA_DIR can't be at %s",
    async (path) => {
      const { code, output } = await runServer({ DATA_DIR: join(folder.path, path) });
      expect(output).toMatch(oneLine);
      expect(code).toBe(1);
    },
  );

  it("never repeats a value, which may be a secret", async () => {
    const secret = "hunter2hunter2";
    for (const [name, value] of [
      ["DATABASE_URL", `mysql://a:${secret}@localhost/x`],
      ["DATABASE_URL", `postgres://a:${secret}@127.0.0.1:1/x`],
      ["REDIS_URL", `http://a:${secret}@localhost`],
    ] as const) {
      const logged: string[] = [];
      const said = await refusal({ [name]: value, DATA_DIR: join(folder.path, "none") }, logged);
      expect(`${said}\n`).toMatch(oneLine);
      expect([said, ...logged].join("")).not.toContain(secret);
    }
    expect(existsSync(join(folder.path, "none"))).toBe(false);
  });
});

describe("limits that make no sense", () => {
  const values = ["0", "-1", "1.5", "many", "Infinity", "1e999", " ", "9007199254740993", "NaN"];

  it("are refused by name, each of them", () => {
    const accepted: string[] = [];
    for (const name of limitSettings) {
      for (const value of values) {
        try {
          readConfig({ [limitVariable(name)]: value });
          accepted.push(`${name}=${value}`);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          expect((error as Error).message).toContain(limitVariable(name));
        }
      }
    }
    expect(accepted).toEqual([]);
  });

  it("are refused if a timer could not wait that long, and would fire without a pause", () => {
    const timers = limitSettings.filter((name) => /_(INTERVAL|TIMEOUT)_MS$/.test(name));
    expect(timers.length).toBeGreaterThan(2);
    for (const name of timers) {
      expect(() => readConfig({ [limitVariable(name)]: "2147483648" }), name).toThrow(ConfigError);
    }
  });
});

describe("an embedded Postgres in a hostile environment", () => {
  it("starts regardless of other programs' settings", async () => {
    const { code, output } = await runServer({
      DATA_DIR: join(folder.path, "data"),
      PGSSLMODE: "verify-full",
      PGHOST: "203.0.113.1",
      PGPORT: "1",
      PGUSER: "nobody",
      PGPASSWORD: "nothing",
      PGDATABASE: "nowhere",
      PGOPTIONS: "-c search_path=evil -c default_transaction_read_only=on",
      PGSERVICE: "none",
      LC_ALL: "xx_XX",
      TZ: "Mars/Olympus",
      LD_LIBRARY_PATH: "/not/there",
    });
    expect(output).toContain("Watchfloor is running on");
    expect(code).toBe(0);
  });
});
