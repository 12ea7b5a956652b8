import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../shared/limits.ts";
import { readConfig, redisRisk } from "./config.ts";
import { limitSettings, limitVariable, settings, unknownSettings } from "./settings.ts";

describe("the configuration", () => {
  it("needs no variable", () => {
    expect(readConfig({})).toMatchObject({
      port: 3_000,
      dataDir: "./data",
      databaseUrl: undefined,
      trustProxy: 0,
      limits: defaultLimits,
    });
  });

  it("treats an empty variable as unset", () => {
    expect(readConfig({ PORT: "", REDIS_URL: "", PUBLIC_URL: "" })).toEqual(readConfig({}));
  });

  it("changes the limits that an operator sets, and no others", () => {
    const same = (names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, 7_200_000]));
    const set = Object.fromEntries(limitSettings.map((name) => [limitVariable(name), "7200000"]));
    const others = { MUTATION_MAX_OPS: "7", WATCHFLOOR_MUTATION_MAX_OPS: "7" };
    const expected = { ...defaultLimits, ...same(limitSettings) };
    expect(readConfig({ ...set, ...others }).limits).toEqual(expected);
  });

  it("finds what is named like a setting and is none", () => {
    const known = [...Object.keys(settings), "WATCHFLOOR_TOKEN", "WATCHFLOOR_MOVE_TO", "PATH"];
    const environment = Object.fromEntries(known.map((name) => [name, "x"]));
    const unknown = { WATCHFLOOR_SECRT_KEY: "x", WATCHFLOOR_MUTATION_MAX_OPS: "7" };
    expect(unknownSettings({ ...environment, ...unknown })).toEqual(Object.keys(unknown));
  });

  it("accepts proxies by count and by address, and removes the slash from the public address", () => {
    expect(readConfig({ TRUST_PROXY: "true" }).trustProxy).toBe(1);
    expect(readConfig({ TRUST_PROXY: "2" }).trustProxy).toBe(2);
    expect(readConfig({ TRUST_PROXY: "10.0.0.0/8" }).trustProxy).toBe("10.0.0.0/8");
    expect(readConfig({ PUBLIC_URL: "https://desk.example/" }).publicUrl).toBe(
      "https://desk.example",
    );
  });

  it("takes passwords of the database and of Redis apart from their addresses, unescaped", () => {
    const password = `p@ss/w#rd:%41 '"$?&`;
    const {
      databaseUrl = "",
      databaseOwnerUrl = "",
      redisUrl = "",
    } = readConfig({
      DATABASE_URL: "postgres://desk@db:5432/desk",
      DATABASE_PASSWORD: password,
      DATABASE_OWNER_URL: "postgres://owner@db:5432/desk",
      DATABASE_OWNER_PASSWORD: `${password}2`,
      REDIS_URL: "redis://redis:6379",
      REDIS_PASSWORD: password,
    });
    expect(decodeURIComponent(new URL(databaseUrl).password)).toBe(password);
    expect(new URL(databaseUrl)).toMatchObject({ username: "desk", host: "db:5432" });
    expect(decodeURIComponent(new URL(databaseOwnerUrl).password)).toBe(`${password}2`);
    expect(decodeURIComponent(new URL(redisUrl).password)).toBe(password);
    expect(new URL(redisUrl)).toMatchObject({ hostname: "redis", port: "6379" });
  });

  it.each([
    ["redis://localhost:6379", null],
    ["redis://127.0.0.1:6379", null],
    ["redis://[::1]:6379", null],
    ["rediss://:word@redis.example.com", null],
    ["rediss://redis.example.com", /^Redis at redis.example.com .* has no password/],
    ["redis://redis:6379", /^Redis at redis:6379 .* has no password/],
    ["redis://:word@redis:6379", /^Redis at redis:6379 .* not encrypted/],
    ["redis://localhost.example.com", /has no password/],
    ["redis://:word@127.0.0.1.example.com", /not encrypted/],
  ])("knows whether others on the network can read what goes through %s", (url, expected) => {
    const risk = redisRisk(url);
    if (expected) expect(risk?.message).toMatch(expected);
    else expect(risk).toBeNull();
    expect(JSON.stringify(risk)).not.toContain("word@");
  });

  it.each([
    [{ PORT: "many" }, "PORT can't be used: must be a port."],
    [{ PORT: "70000" }, /^PORT can't be used: /],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL can't be used: must begin with postgres://."],
    [
      { DATABASE_OWNER_URL: "postgres://x" },
      "DATABASE_URL is missing: DATABASE_OWNER_URL goes with it.",
    ],
    [{ REDIS_PASSWORD: "x" }, "REDIS_URL is missing: REDIS_PASSWORD goes with it."],
    [
      { DATABASE_URL: "postgres:///desk?host=/run", DATABASE_PASSWORD: "x" },
      "DATABASE_PASSWORD can't be used: DATABASE_URL names no host.",
    ],
    [{ REDIS_URL: "localhost" }, "REDIS_URL can't be used: must begin with redis://."],
    [{ PUBLIC_URL: "desk" }, "PUBLIC_URL can't be used: must be an http or https address."],
    [
      { PUBLIC_URL: "https://example.com/desk" },
      "PUBLIC_URL can't be used: must have no path: Watchfloor must be at the root of its host.",
    ],
    [{ PUBLIC_URL: "https://example.com/./desk/" }, /^PUBLIC_URL can't be used: must have no path/],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL can't be used: /],
    [{ TRUST_PROXY: "perhaps" }, /^TRUST_PROXY can't be used: /],
    [{ WATCHFLOOR_TEMPLATE: "shop" }, /^WATCHFLOOR_TEMPLATE can't be used: /],
    [{ WATCHFLOOR_OWNER_EMAIL: "a@b.c" }, /^WATCHFLOOR_OWNER_PASSWORD is missing: /],
    [{ WATCHFLOOR_READS_AT_ONCE: "0" }, /^WATCHFLOOR_READS_AT_ONCE can't be used: /],
    [
      { WATCHFLOOR_LOG_KEEP_MS: "1.5" },
      "WATCHFLOOR_LOG_KEEP_MS can't be used: must be a whole number.",
    ],
    [
      { WATCHFLOOR_LOG_KEEP_MS: "90" },
      "WATCHFLOOR_LOG_KEEP_MS can't be used: must be at least an hour: it is in milliseconds.",
    ],
    [{ WATCHFLOOR_SECURITY_EVENT_KEEP_MS: "400" }, /must be at least an hour/],
    [
      { WATCHFLOOR_SESSION_IDLE_MS: "12" },
      "WATCHFLOOR_SESSION_IDLE_MS can't be used: must be at least a minute: it is in milliseconds.",
    ],
    [{ WATCHFLOOR_SESSION_ABSOLUTE_MS: "30" }, /must be at least a minute/],
    [{ WATCHFLOOR_INVITATION_TTL_MS: "7" }, /must be at least a minute/],
    [{ WATCHFLOOR_BACKUP_INTERVAL_MS: "24" }, /must be at least a minute/],
    [{ WATCHFLOOR_READ_TIMEOUT_MS: "30" }, /must be at least 100/],
    [{ WATCHFLOOR_STOP_TIMEOUT_MS: "25" }, /must be at least 1000/],
  ])("refuses %o with one sentence", (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  it("never repeats an invalid secret", () => {
    const environment = { WATCHFLOOR_OWNER_EMAIL: "a@b.c", WATCHFLOOR_OWNER_PASSWORD: "hunter2" };
    expect(() => readConfig(environment)).toThrow(/^(?!.*hunter2)/);
  });

  it("ends the process with the sentence and status 1", async () => {
    const module = fileURLToPath(new URL("./config.ts", import.meta.url));
    const script = `import { configOrExit } from ${JSON.stringify(module)}; configOrExit();`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, PORT: "many" },
    });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: "PORT can't be used: must be a port.\n",
    });
  });

  it("is documented, every setting", () => {
    const guide = new URL("../../docs/guides/configuration.md", import.meta.url);
    const rows = readFileSync(guide, "utf8").split("\n");
    const rowOf = (name: string) => rows.find((row) => row.startsWith(`| \`${name}\` |`));
    for (const name of Object.keys(settings)) expect(rowOf(name), name).toBeTruthy();
    const documented = rows.filter((row) => row.startsWith("| `")).length;
    expect(documented).toBe(Object.keys(settings).length);
  });
});
