// Covers: server/webhooks server/messaging
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { WebhookInfo, WebhookWithSecret } from "../../shared/protocol/webhooks.ts";
import { SeededRandom } from "../convergence/seeded-random.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { anyDatabase } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";
import { startRedis } from "../provision/redis.ts";
import { runSeed } from "../provision/test-seed.ts";
import { Receiver } from "../webhooks/receiver.ts";

/** Of 16 events 12 are sent. */
const EVENTS = proofSize(400, 13_334);
const KILLS = proofSize(4, 20);
/** The first of them are sent; the next don't match the filter; the rest are hidden from the webhook's owner. */
const [SENT, UNMATCHED, RECORDS] = [12, 14, 16];
const RETRY_MS = 50;
const SEED = runSeed;

/** Writes the numbers from 1 to `EVENTS` into the titles of some incidents, through servers that are killed. */
async function writeAll(users: readonly TestUser[], written: { count: number }): Promise<void> {
  for (let n = 1; n <= EVENTS; n++) {
    const path = `/tables/incidents/records/${workableIncident(n % RECORDS)}?overwrite=true`;
    for (let attempt = 0; ; attempt++) {
      const user = users[attempt % users.length] as TestUser;
      const body = { set: { title: String(n) } };
      if (
        await user.call("PATCH", path, body).then(
          () => true,
          () => false,
        )
      )
        break;
      await sleep(RETRY_MS);
    }
    written.count = n;
  }
}

/** A user who reads the incidents without a location only, and may create webhooks. */
async function addReader(url: string, me: TestUser): Promise<TestUser> {
  for (let record = 0; record < RECORDS; record++) {
    const notes = record < SENT ? null : "unmatched";
    const location = record < UNMATCHED ? null : "hidden";
    const path = `/tables/incidents/records/${workableIncident(record)}?overwrite=true`;
    await me.call("PATCH", path, { set: { notes, location } });
  }
  const { id } = await me.call<{ id: string }>("POST", "/roles", {
    name: "Reader of some",
    rights: ["webhooks"],
    grants: { incidents: { read: { filter: { field: "location", op: "isEmpty" } } } },
  });
  return addUser(url, me, "Ines", id);
}

describe("kill -9 of the servers and of the receiver", () => {
  it(`loses no event and no order, and sends none outside filter and rights, after ${KILLS} random kills (seed ${SEED})`, {
    timeout: 1_800_000,
  }, async () => {
    const [redis, database] = await Promise.all([startRedis(), createInstalled(anyDatabase)]);
    const environment = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: "true",
      // Longer than an answer takes on a slow machine.
      WEBHOOK_TIMEOUT_MS: "5000",
      WEBHOOK_RETRY_FIRST_MS: "50",
      WEBHOOK_RETRY_MAX_MS: "500",
      WEBHOOK_MAX_ATTEMPTS: "100000",
      WEBHOOK_MAX_OPEN: "100",
    };
    const servers = [
      await ServerProcess.start({ environment }),
      await ServerProcess.start({ environment }),
    ];
    await using receiver = await Receiver.open();
    const users = await Promise.all(servers.map(({ url }) => signIn(url, owner)));
    const [me] = users as [TestUser];
    const reader = await addReader(String(servers[0]?.url), me);
    const hook = await reader.call<WebhookWithSecret>("POST", "/webhooks", {
      name: "Killed",
      url: receiver.url,
      table: "incidents",
      events: ["updated"],
      fields: ["title"],
      filter: { field: "notes", op: "isEmpty" },
    });
    receiver.secret = hook.secret;
    const written = { count: 0 };
    const writing = writeAll(users, written);
    const random = new SeededRandom(SEED);
    const moments = Array.from({ length: KILLS }, () => random.below(EVENTS));
    for (const [kill, moment] of moments.sort((a, b) => a - b).entries()) {
      await until(`${moment} edits`, 600_000, () => written.count >= moment);
      // Each at least once, even in the short form.
      const victims = [...servers, null];
      const server = kill < victims.length ? victims[kill] : random.pick(victims);
      if (server) {
        await server.kill("SIGKILL");
        await server.start();
      } else {
        await receiver.kill();
        await sleep(200);
        await receiver.restart();
      }
    }
    await writing;
    const all = Array.from({ length: EVENTS }, (_, index) => index + 1);
    const expected = all.filter((n) => n % RECORDS < SENT);
    await until("every event", 600_000, () => receiver.bodies().length >= expected.length);
    await until("an empty queue", 60_000, async () => {
      return (await me.call<WebhookInfo>("GET", `/webhooks/${hook.id}`)).open === 0;
    });
    expect(receiver.received.every(({ isVerified }) => isVerified)).toBe(true);
    const numbers = receiver.bodies().map(({ values }) => Number(values.title));
    // Each of them, and none that the filter or the owner's rights leave out.
    expect([...numbers].sort((a, b) => a - b)).toEqual(expected);
    for (let record = 0; record < SENT; record++) {
      const own = numbers.filter((number) => number % RECORDS === record);
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
    // Repetitions come from kills and lost answers only: while both servers live, one delivers.
    expect(receiver.received.length - expected.length).toBeLessThanOrEqual(
      KILLS * 8 + receiver.lostAnswers,
    );
    for (const server of servers) await server[Symbol.asyncDispose]();
    await database.drop();
    await redis.close();
  });
});
