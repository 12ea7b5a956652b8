import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  WebhookDelivery,
  WebhookInfo,
  WebhookWithSecret,
} from "../../shared/protocol/webhooks.ts";
import { ServerInProcess } from "../harness/server-in-process.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { Receiver } from "../webhooks/receiver.ts";

const WITHIN_MS = 30_000;
const SECRET = "a value that is hidden";
const password = "a long password";
let installation: TestInstallation;
/** On the same database, with the default: private addresses are refused. */
let strict: ServerProcess;
let receiver: Receiver;

beforeAll(async () => {
  installation = await TestInstallation.openInProcess({
    environment: {
      WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: "true",
      WEBHOOKS_MAX: "12",
    },
  });
  strict = await ServerProcess.start({ environment: { DATABASE_URL: installation.databaseUrl } });
  receiver = await Receiver.open();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await strict[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

const call = <T>(method: string, path: string, body?: unknown) =>
  installation.ownerUser.call<T>(method, path, body);
const basic = { name: "Attack", table: "incidents", events: ["created", "updated", "deleted"] };

async function create(by: TestUser, more: object): Promise<WebhookWithSecret> {
  const call = { ...basic, url: receiver.url, ...more };
  const made = await by.call<WebhookWithSecret>("POST", "/webhooks", call);
  receiver.secret = made.secret;
  return made;
}

const remove = ({ id }: { id: string }) => call("DELETE", `/webhooks/${id}`);
const edit = (n: number, set: object) =>
  call("PATCH", `/tables/incidents/records/${workableIncident(n)}?overwrite=true`, { set });

describe("server-side request forgery", () => {
  it.each([
    "http://127.0.0.1:9/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "https://10.1.2.3/",
    "http://100.64.0.1/",
    "http://0/",
  ])("refuses %s when it is entered", async (url) => {
    const user = await signIn(strict.url, owner);
    await expect(user.call("POST", "/webhooks", { ...basic, url })).rejects.toThrow(
      /^POST \/webhooks: 422/,
    );
  });

  it.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/",
    "http://user:password@example.com/",
    "http://example.com/#part",
    "//example.com/",
    "http:\\\\127.0.0.1\\",
    "javascript:alert(1)",
  ])("refuses %s as no address of a receiver", async (url) => {
    await expect(create(installation.ownerUser, { url })).rejects.toThrow(/: 400/);
  });

  it("refuses names that lead to this machine when it sends", async () => {
    const made = await create(installation.ownerUser, {
      url: `http://localhost:${receiver.port}/`,
    });
    const user = await signIn(strict.url, owner);
    const sent = await user.call<WebhookDelivery>("POST", `/webhooks/${made.id}/test`);
    expect(sent).toMatchObject({ state: "given_up", error: "address_refused", status: null });
    expect(receiver.received).toEqual([]);
    await remove(made);
  });
});

describe("a hostile receiver", () => {
  let server: Server;
  let url: string;
  let served = 0;
  /** On the same database, with little time for an answer. */
  let impatient: ServerInProcess;
  beforeAll(async () => {
    impatient = await ServerInProcess.start({
      DATABASE_URL: installation.databaseUrl,
      WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: "true",
      WEBHOOK_TIMEOUT_MS: "5000",
    });
    server = createServer((request, response) => {
      served += 1;
      request.resume();
      if (request.url === "/silent") return;
      if (request.url === "/redirect") {
        response.writeHead(307, { location: "/elsewhere" }).end();
        return;
      }
      response.writeHead(500);
      response.write("x\u0000\u001b[31m<script>");
      const timer = setInterval(() => response.write("y".repeat(65_536)), 1);
      response.on("close", () => clearInterval(timer));
    }).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await impatient[Symbol.asyncDispose]();
  });

  it("is given up on in time, redirects nobody, and has only the start of its answer read", async () => {
    const outcomes: WebhookDelivery[] = [];
    const user = await signIn(impatient.url, owner);
    for (const path of ["/silent", "/redirect", "/endless"]) {
      const made = await create(installation.ownerUser, { url: url + path });
      outcomes.push(await user.call<WebhookDelivery>("POST", `/webhooks/${made.id}/test`));
      await remove(made);
    }
    expect(outcomes.map(({ error }) => error)).toEqual(["timeout", "redirect", "status"]);
    expect(outcomes[0]?.durationMs).toBeLessThan(60_000);
    expect(outcomes[2]?.excerpt).toMatch(/^x \[31m<script>y+$/);
    expect(outcomes[2]?.excerpt?.length).toBeLessThanOrEqual(400);
    expect(served).toBe(3);
  });
});

describe("the rights of the owner", () => {
  let author: TestUser;
  let roleId: string;

  beforeAll(async () => {
    const role = {
      name: "Integrators",
      rights: ["webhooks"],
      grants: { incidents: { read: true } },
    };
    roleId = (await call<{ id: string }>("POST", "/roles", role)).id;
    const user = { email: "author@example.com", name: "Author", role: roleId, password };
    await call("POST", "/users", user);
    author = await signIn(installation.server.url, { email: user.email, password });
  });

  it("narrow what is sent at once, also what waits and what is replayed", async () => {
    const made = await create(author, {});
    await edit(10, { title: "Shown", notes: "shown note" });
    await until("the first event", WITHIN_MS, () => receiver.received.length === 1);
    expect(receiver.received[0]?.body.values).toMatchObject({ notes: "shown note" });
    await call("POST", `/webhooks/${made.id}/pause`);
    await edit(10, { notes: SECRET, title: "Waiting" });
    await call("PATCH", `/roles/${roleId}`, {
      grants: { incidents: { read: { hide: ["notes"] } } },
    });
    await edit(10, { notes: `${SECRET} too` });
    await call("POST", `/webhooks/${made.id}/resume`);
    await until("the narrowed event", WITHIN_MS, () => receiver.received.length === 2);
    expect(receiver.received[1]?.body).toMatchObject({ values: { title: "Waiting" } });
    const path = `/webhooks/${made.id}/deliveries`;
    const { items } = await author.call<{ items: WebhookDelivery[] }>("GET", path);
    const first = items.at(-1);
    await author.call("POST", `${path}/${first?.id}/replay`);
    await until("the replay", WITHIN_MS, () => receiver.received.length === 3);
    expect(receiver.received[2]?.id).toBe(first?.id);
    const sent = receiver.received.slice(1).map(({ body }) => JSON.stringify(body));
    expect(sent.join()).not.toMatch(/hidden|shown note|notes/);

    await call("PATCH", `/users/${author.info.id}`, { status: "disabled" });
    await edit(10, { title: "After the owner was disabled" });
    await expect
      .poll(() => call<WebhookInfo>("GET", `/webhooks/${made.id}`))
      .toMatchObject({ state: "stopped", reason: "owner" });
    await call("PATCH", `/roles/${roleId}`, { grants: { incidents: { read: false } } });
    await call("PATCH", `/users/${author.info.id}`, { status: "active" });
    await expect
      .poll(() => call<WebhookInfo>("GET", `/webhooks/${made.id}`))
      .toMatchObject({ state: "stopped", reason: "table" });
    expect(receiver.received).toHaveLength(3);
    await remove(made);
  });

  it("are not lent to another user with the right to webhooks", async () => {
    await call("PATCH", `/roles/${roleId}`, {
      grants: { incidents: { read: { hide: ["notes"] } } },
    });
    author = await signIn(installation.server.url, { email: "author@example.com", password });
    const made = await create(installation.ownerUser, {
      url: `${receiver.url}?token=of-the-receiver`,
      filter: { field: "notes", op: "contains", value: "shared" },
      fields: ["title", "notes"],
    });
    const seen = await author.call<WebhookInfo>("GET", `/webhooks/${made.id}`);
    expect(seen).toMatchObject({ isMine: false, filter: null, fields: null });
    expect(JSON.stringify(seen)).not.toMatch(/of-the-receiver|notes|shared|whsec/);
    const patches = { url: "http://127.0.0.1:1/" };
    for (const [method, path, body] of [
      ["PATCH", "", patches],
      ["POST", "/test", undefined],
      ["POST", "/rotate-secret", undefined],
      ["POST", "/deliveries/any/replay", undefined],
    ] as const) {
      await expect(author.call(method, `/webhooks/${made.id}${path}`, body)).rejects.toThrow(
        /: 403/,
      );
    }
    await edit(11, { notes: "shared with the owner" });
    await expect
      .poll(() => call<{ total: number }>("GET", `/webhooks/${made.id}/deliveries`))
      .toMatchObject({ total: 1 });
    const path = `/webhooks/${made.id}/deliveries`;
    const { items } = await author.call<{ items: WebhookDelivery[] }>("GET", path);
    expect(items[0]).toMatchObject({ excerpt: null });
    await remove(made);
  });

  it("bound the fields and filters that can be named, and the number of webhooks", async () => {
    const hidden = { fields: ["notes"] };
    await expect(create(author, hidden)).rejects.toThrow(/: 400/);
    const filter = { field: "notes", op: "eq", value: "x" };
    await expect(create(author, { filter })).rejects.toThrow(/: 400/);
    const clock = { field: "opened_at", op: "lt", value: { ago: "4h" } };
    await expect(create(author, { filter: clock })).rejects.toThrow(/: 400.*time/);
    await expect(create(author, { table: "people" })).rejects.toThrow(/: 404/);
    const made: WebhookWithSecret[] = [];
    const more = async () => {
      for (;;) made.push(await create(author, {}));
    };
    await expect(more()).rejects.toThrow(/: 413/);
    expect(made).toHaveLength(12);
    for (const one of made) await remove(one);
  });

  it("send no name of a table that their owner no longer reads, also as a test", async () => {
    const made = await create(author, {});
    const sent = async () => {
      await author.call("POST", `/webhooks/${made.id}/test`);
      return JSON.stringify(receiver.bodies().at(-1));
    };
    expect(await sent()).toContain('"table":"incidents"');
    await call("PATCH", `/roles/${roleId}`, { grants: { incidents: { read: false } } });
    expect(await sent()).toContain('"table":null');
    await remove(made);
  });
});
