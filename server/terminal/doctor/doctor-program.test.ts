import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "redis";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "../../../e2e/harness/run-program.ts";
import { sharedRedisUrl } from "../../../e2e/provision/databases.ts";
import { startRedis } from "../../../e2e/provision/redis.ts";
import { createSecretBox } from "../../auth/secret-box.ts";
import { buildVersion } from "../../config/version.ts";
import { openDoctor, secretKey } from "./testing/open-doctor.ts";

const { store, admin, port, environment, found, close } = await openDoctor();
afterAll(close);

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

describe("watchfloor doctor reports of Redis", () => {
  it("that it is unreachable", async () => {
    const findings = await found({ REDIS_URL: `redis://127.0.0.1:${port}` });
    one(findings, /^fault redis: Redis at 127\.0\.0\.1:\d+ does not answer.*REDIS_URL/);
  });

  it("a wrong password, keys of other programs, and an address that others can read", async () => {
    const redis = await startRedis();
    expect((await found({ REDIS_URL: redis.url })).join()).not.toContain("redis");
    const beyond = { REDIS_URL: redis.url.replace("127.0.0.1", "0.0.0.0") };
    one(await found(beyond), /^warning redis: Redis at 0\.0\.0\.0:\d+ .* has no password/);
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
    const secret = createSecretBox(secretKey).encrypt("a secret", "u-planted");
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
    const { code, out } = await runProgram(["doctor"], {
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
      /warning +capture: .*triggers were found disabled/,
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
    const text = await runProgram(["doctor"], environmentOf);
    expect([text.code, text.err]).toEqual([1, ""]);
    expect(text.out).toMatch(/^✗ fault {4}postgres: /);
    expect(text.out).toContain("2 faults, 1 warnings.");
    const json = await runProgram(["doctor", "--json"], environmentOf);
    const report = JSON.parse(json.out);
    // Which build this is.
    expect(buildVersion).toMatch(/^\d+\.\d+\.\d+\+([0-9a-f]{10}|unknown)$/);
    expect(text.out).toContain(`\nWatchfloor ${buildVersion}\n`);
    expect(report.version).toBe(buildVersion);
    expect(report).toMatchObject({ ok: false, findings: [{ check: "postgres" }, {}, {}] });
    expect(text.out + json.out).not.toContain("hidden-word");
  });
});
