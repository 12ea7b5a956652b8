import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type {
  WebhookDelivery,
  WebhookInfo,
  WebhookWithSecret,
} from "../../shared/protocol/webhooks.ts";
import type { ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { until } from "../harness/until.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { Receiver } from "./receiver.ts";

const WITHIN_MS = 30_000;
let installation: TestInstallation<ServerProcess>;
let receiver: Receiver;
let hook: WebhookWithSecret;
const made: { id: string; receiver: Receiver }[] = [];

beforeAll(async () => {
  installation = await TestInstallation.open({
    environment: {
      WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: "true",
      WEBHOOK_RETRY_FIRST_MS: "200",
      WEBHOOK_MAX_ATTEMPTS: "3",
      WATCHFLOOR_SECRET_KEY: "a key of at least 32 characters !",
    },
  });
});
afterAll(() => installation[Symbol.asyncDispose]());
afterEach(async () => {
  for (const one of made.splice(0)) {
    await call("DELETE", `/webhooks/${one.id}`);
    await one.receiver[Symbol.asyncDispose]();
  }
});

const call = <T>(method: string, path: string, body?: unknown) =>
  installation.ownerUser.call<T>(method, path, body);

async function open(more: object = {}): Promise<void> {
  receiver = await Receiver.open();
  hook = await call<WebhookWithSecret>("POST", "/webhooks", {
    name: "Test",
    url: receiver.url,
    table: "incidents",
    events: ["created", "updated", "deleted", "transition"],
    ...more,
  });
  receiver.secret = hook.secret;
  made.push({ id: hook.id, receiver });
}

async function edit(id: string, set: Record<string, unknown>): Promise<void> {
  const path = `/tables/incidents/records/${id}?overwrite=true`;
  await call("PATCH", path, { set });
}

const arrived = (count: number) =>
  until(`${count} events`, WITHIN_MS, () => receiver.bodies().length >= count);
const deliveries = async () =>
  (await call<{ items: WebhookDelivery[] }>("GET", `/webhooks/${hook.id}/deliveries`)).items;
const info = () => call<WebhookInfo>("GET", `/webhooks/${hook.id}`);

describe("a webhook", () => {
  it("names the mutation of each change, by which a program knows its own, and sends what its token reads", async () => {
    const role = await call<{ id: string }>("POST", "/roles", {
      name: "Sync",
      rights: ["webhooks"],
      grants: { incidents: { read: { hide: ["notes"] }, update: true } },
    });
    const { token } = await call<{ token: string }>("POST", "/tokens", {
      name: "Sync",
      role: role.id,
    });
    receiver = await Receiver.open();
    const asToken = async <T>(path: string, body: object) => {
      const answer = await fetch(`${installation.server.url}/api/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as T;
    };
    const events = ["updated"];
    const body = { name: "Sync", url: receiver.url, table: "incidents", events };
    hook = await asToken<WebhookWithSecret>("/webhooks", body);
    receiver.secret = hook.secret;
    made.push({ id: hook.id, receiver });
    const record = workableIncident(2);
    const { values } = await installation.ownerUser.record("incidents", record);
    const set = { title: "By the program" };
    const base = { title: values.title };
    const ops = [{ op: "update", table: "incidents", record, set, base }];
    const sent = await asToken("/mutations", { id: "sync-1", ops });
    expect(sent).toMatchObject({ results: [{ ok: true }] });
    await edit(record, { title: "By somebody", notes: "hidden" });
    await arrived(2);
    const [own, other] = receiver.bodies();
    expect(own).toMatchObject({ mutation: "sync-1", by: { kind: "token" } });
    expect(other).toMatchObject({ mutation: expect.any(String), by: { kind: "user" } });
    expect(JSON.stringify(receiver.bodies())).not.toContain("hidden");
  });

  it("sends what is created, updated, run and deleted, signed and in the order of each record", async () => {
    await open();
    const { id } = await call<{ id: string }>("POST", "/tables/incidents/records", {
      values: { title: "First" },
    });
    await edit(id, { title: "Second", notes: "More" });
    await call("POST", `/tables/incidents/records/${id}/transitions/activate`, { from: "New" });
    await call("DELETE", `/tables/incidents/records/${id}?overwrite=true`);
    await arrived(4);
    expect(receiver.received.every(({ isVerified }) => isVerified)).toBe(true);
    const bodies = receiver.bodies();
    expect(bodies.map(({ type }) => type)).toEqual([
      "record.created",
      "record.updated",
      "record.transition",
      "record.deleted",
    ]);
    const [created, updated, transition, deleted] = bodies;
    expect(created).toMatchObject({ table: "incidents", record: id, values: { title: "First" } });
    expect(created?.changes.title).toEqual({ before: null, after: "First" });
    expect(updated?.changes).toMatchObject({
      title: { before: "First", after: "Second" },
      notes: { before: null, after: "More" },
    });
    expect(updated?.values).toMatchObject({ title: "Second", state: "New" });
    expect(updated?.by).toMatchObject({ kind: "user", id: installation.ownerUser.info.id });
    expect(transition).toMatchObject({ transition: "activate", values: { state: "Active" } });
    expect(deleted).toMatchObject({ changes: {}, values: { title: "Second" } });
    expect(created?.version).toMatch(/^\w+\.\d+$/);
    const log = await until("stored outcomes", WITHIN_MS, async () => {
      const items = await deliveries();
      return items.every(({ state }) => state === "delivered") ? items : null;
    });
    expect(log.map(({ type, status, attempts }) => [type, status, attempts])).toEqual([
      ["record.deleted", 200, 1],
      ["record.transition", 200, 1],
      ["record.updated", 200, 1],
      ["record.created", 200, 1],
    ]);
    expect(await info()).toMatchObject({
      state: "active",
      open: 0,
      last: { ok: true, status: 200 },
    });
  });

  it("sends the events, records and fields that it names: entering is created, leaving is deleted", async () => {
    await open({
      events: ["created", "deleted"],
      filter: { field: "priority", op: "eq", value: "1 - Critical" },
      fields: ["title", "priority"],
    });
    const id = workableIncident(1);
    await edit(id, { priority: "4 - Low", title: "Outside" });
    await edit(id, { priority: "1 - Critical" });
    await edit(id, { title: "Inside" });
    await edit(id, { priority: "3 - Moderate", title: "Hidden now" });
    await arrived(2);
    const [entered, left] = receiver.bodies();
    expect(entered).toMatchObject({
      type: "record.created",
      values: { title: "Outside", priority: "1 - Critical" },
    });
    expect(Object.keys(entered?.values ?? {})).toEqual(["title", "priority"]);
    expect(left).toMatchObject({
      type: "record.deleted",
      changes: {},
      values: { title: "Inside", priority: "1 - Critical" },
    });
    expect(JSON.stringify(receiver.received)).not.toContain("Hidden now");
  });

  it("repeats a failed attempt, and sends later events of the record after it was given up", async () => {
    await open({ fields: ["title"] });
    const [bad, good] = [workableIncident(2), workableIncident(3)];
    const other = Promise.withResolvers<void>();
    receiver.answer = async ({ body }) => {
      if (body.values.title === "Other") other.resolve();
      if (body.values.title !== "Refused") return 200;
      await other.promise;
      return 500;
    };
    await edit(bad, { title: "Refused" });
    await edit(bad, { title: "Accepted" });
    await edit(good, { title: "Other" });
    await arrived(2);
    expect(receiver.bodies().map(({ values }) => values.title)).toEqual(["Other", "Accepted"]);
    const [, , first] = await deliveries();
    expect(first).toMatchObject({
      state: "given_up",
      attempts: 3,
      status: 500,
      error: "status",
      excerpt: "answer 500",
    });
    expect(await info()).toMatchObject({ givenUp: 1 });
    receiver.answer = () => 200;
    await call("POST", `/webhooks/${hook.id}/deliveries/${first?.id}/replay`);
    await arrived(3);
    expect(receiver.received.at(-1)).toMatchObject({ id: first?.id, isVerified: true });
    await expect.poll(info).toMatchObject({ givenUp: 0, failures: 0 });
  });

  it("gives up at once where the receiver answers 410", async () => {
    await open({ fields: ["title"] });
    receiver.answer = () => 410;
    await edit(workableIncident(2), { title: "Gone" });
    await expect.poll(info).toMatchObject({ givenUp: 1 });
    expect(await deliveries()).toMatchObject([{ state: "given_up", attempts: 1, status: 410 }]);
  });

  it("sends what happened while it was paused, and after the server was restarted", async () => {
    await open({ fields: ["title"] });
    await call("POST", `/webhooks/${hook.id}/pause`);
    for (let n = 0; n < 5; n++) await edit(workableIncident(4), { title: `Paused ${n}` });
    await installation.server.kill("SIGKILL");
    await installation.server.start();
    expect(receiver.received).toEqual([]);
    expect((await call<WebhookInfo>("POST", `/webhooks/${hook.id}/resume`)).state).toBe("active");
    await arrived(5);
    expect(receiver.bodies().map(({ values }) => values.title)).toEqual(
      [0, 1, 2, 3, 4].map((n) => `Paused ${n}`),
    );
  });

  it("signs by both secrets after a rotation, and shows a secret once", async () => {
    await open({ fields: ["title"] });
    const former = receiver.secret;
    const { secret, formerSecretUntil } = await call<WebhookWithSecret>(
      "POST",
      `/webhooks/${hook.id}/rotate-secret`,
    );
    expect(secret).not.toBe(former);
    expect(Date.parse(formerSecretUntil ?? "") - Date.now()).toBeGreaterThan(86_000_000);
    await edit(workableIncident(5), { title: "Signed twice" });
    await arrived(1);
    expect(receiver.received[0]).toMatchObject({ isVerified: true });
    expect(receiver.received[0]?.signatures).toHaveLength(2);
    const shown = JSON.stringify([
      await call("GET", "/webhooks"),
      await info(),
      await deliveries(),
    ]);
    expect(shown).not.toContain("whsec_");
    const { rows } = await installation.program.query("select * from watchfloor.webhook");
    expect(JSON.stringify(rows)).not.toContain("whsec_");
    expect(installation.server.output).not.toContain("whsec_");
  });

  it.each([
    ["floor", "delete from watchfloor.numbering where feed = $1"],
    ["epoch", "select watchfloor.break_epoch($1)"],
  ])(
    "says that changes were missed (%s), and goes on with those that are left",
    async (reason, harm) => {
      await open({ fields: ["title"] });
      await call("POST", `/webhooks/${hook.id}/pause`);
      await edit(workableIncident(6), { title: `Lost by ${reason}` });
      const { rows } = await installation.program.query<{ id: number }>(
        "select id from watchfloor.feed where table_name = 'incidents'",
      );
      await installation.program.query(harm, [rows[0]?.id]);
      await call("POST", `/webhooks/${hook.id}/resume`);
      await until("a notice", WITHIN_MS, async () => (await info()).state === "missed");
      expect(await info()).toMatchObject({ state: "missed", reason });
      expect(await deliveries()).toContainEqual(
        expect.objectContaining({ kind: "missed", state: "missed", reason }),
      );
      const events = await call<{ items: { kind: string; subject: { id: string } }[] }>(
        "GET",
        "/security-events?group=webhooks",
      );
      expect(events.items[0]).toMatchObject({ kind: "webhook_missed", subject: { id: hook.id } });
      await edit(workableIncident(6), { title: `After ${reason}` });
      await until("the next event", WITHIN_MS, () =>
        receiver.bodies().some(({ values }) => values.title === `After ${reason}`),
      );
      expect(await call("POST", `/webhooks/${hook.id}/resume`)).toMatchObject({ state: "active" });
    },
  );

  it("answers the outcome of a test", async () => {
    await open();
    const sent = await call<WebhookDelivery>("POST", `/webhooks/${hook.id}/test`);
    expect(sent).toMatchObject({
      kind: "test",
      type: "webhook.test",
      state: "delivered",
      status: 200,
    });
    expect(receiver.received[0]?.isVerified).toBe(true);
    receiver.answer = () => 302;
    const redirected = await call<WebhookDelivery>("POST", `/webhooks/${hook.id}/test`);
    expect(redirected).toMatchObject({ state: "given_up", error: "redirect", status: 302 });
    await receiver.kill();
    const refused = await call<WebhookDelivery>("POST", `/webhooks/${hook.id}/test`);
    expect(refused).toMatchObject({ state: "given_up", error: "connection", status: null });
    expect((await deliveries()).map(({ kind }) => kind)).toEqual(["test", "test", "test"]);
  });
});
