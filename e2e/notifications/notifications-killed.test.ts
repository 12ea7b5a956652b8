import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../convergence/seeded-random.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { anyDatabase } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";
import { startRedis } from "../provision/redis.ts";
import { runSeed } from "../provision/test-seed.ts";
import { MailReceiver } from "./mail-receiver.ts";

const NOTIFICATIONS = proofSize(120, 10_000);
const KILLS = proofSize(2, 20);
const READERS = proofSize(3, 20);
const BATCH = 10;
const RETRY_MS = 50;
const SEED = runSeed;

/** A repeat, after a server was killed, has the same id: each edit is made once. */
async function mutate(users: readonly TestUser[], ops: object[]): Promise<void> {
  const call = { id: randomUUID(), ops };
  for (let attempt = 0; ; attempt++) {
    const user = users[attempt % users.length] as TestUser;
    const done = await user.call("POST", "/mutations", call).then(
      () => true,
      () => false,
    );
    if (done) return;
    await sleep(RETRY_MS);
  }
}

describe("kill -9 of servers that notify", () => {
  it(`enters each of ${NOTIFICATIONS} notifications once, and mails it, after ${KILLS} random kills (seed ${SEED})`, {
    timeout: 3_600_000,
  }, async () => {
    await using mails = await MailReceiver.open();
    const [redis, database] = await Promise.all([startRedis(), createInstalled(anyDatabase)]);
    const environment = {
      ...mails.environment,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      PUBLIC_URL: "https://desk.example.com",
      MAIL_INTERVAL_MS: "500",
      WEBHOOK_RETRY_FIRST_MS: "50",
    };
    const servers = [
      await ServerProcess.start({ environment }),
      await ServerProcess.start({ environment }),
    ];
    const users = await Promise.all(servers.map(({ url }) => signIn(url, owner)));
    const [boss] = users as [TestUser];
    const readers = await Promise.all(
      Array.from({ length: READERS }, (_, index) =>
        addUser(String(servers[0]?.url), boss, `Reader ${index}`),
      ),
    );
    const written = { count: 0 };
    const writing = (async () => {
      for (let from = 0; from < NOTIFICATIONS; from += BATCH) {
        const ops = Array.from({ length: BATCH }, (_, index) => ({
          op: "create",
          table: "incidents",
          record: `n${from + index}`,
          values: {
            title: `Notified ${from + index}`,
            state: "New",
            assignee: readers[(from + index) % READERS]?.info.id,
          },
        }));
        await mutate(users, ops);
        written.count = from + BATCH;
      }
    })();
    const random = new SeededRandom(SEED);
    const moments = Array.from({ length: KILLS }, () => random.below(NOTIFICATIONS));
    for (const [kill, moment] of moments.sort((a, b) => a - b).entries()) {
      await until(`${moment} edits`, 600_000, () => written.count >= moment);
      const server = servers[kill % servers.length];
      await server?.kill("SIGKILL");
      await server?.start();
    }
    await writing;
    const program = new pg.Client({ connectionString: database.url });
    await program.connect();
    const entries = async () =>
      (
        await program.query<{ record: string; user_id: string; count: number }>(
          `select record, user_id, (select sum((part ->> 'count')::int)::int from jsonb_array_elements(parts) part) as count
            from watchfloor.inbox_entry where cause = 'assignment'`,
        )
      ).rows;
    await until("every entry", 600_000, async () => (await entries()).length >= NOTIFICATIONS);
    const expected = Array.from({ length: NOTIFICATIONS }, (_, index) => ({
      record: `n${index}`,
      user_id: readers[index % READERS]?.info.id,
      count: 1,
    }));
    const byNumber = (rows: { record: string }[]) =>
      rows.toSorted((a, b) => Number(a.record.slice(1)) - Number(b.record.slice(1)));
    expect(byNumber(await entries())).toEqual(expected);
    await until("an empty outbox", 600_000, async () => {
      const { rows } = await program.query(`
        select from watchfloor.inbox_entry where mail <> 'off'
        union all select from watchfloor.delivery where state in ('due', 'retrying')`);
      return rows.length === 0;
    });
    const sent = await program.query<{ id: string }>(
      "select id from watchfloor.delivery where kind = 'mail' and state = 'delivered'",
    );
    const ids = new Set(mails.received.map(({ id }) => id));
    expect([...ids].sort()).toEqual(sent.rows.map(({ id }) => `<${id}@desk.example.com>`).sort());
    for (const { info } of readers) expect(mails.of(info.email).length).toBeGreaterThan(0);
    await program.end();
    for (const server of servers) await server[Symbol.asyncDispose]();
    await database.drop();
    await redis.close();
  });
});
