import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

const USERS = "/api/v1/users";
const password = "a long password";
const lastOwner = { status: 422, fields: { role: { rule: "lastOwner" } } };
const BLOCKED_WITHIN_MS = 30_000;

let server: TestServer;
let one: ApiClient;
let first: string;
let program: Client;
let made = 0;

beforeAll(async () => {
  server = await startTestServer();
  program = new Client({ connectionString: server.databaseUrl });
  await program.connect();
});
afterAll(async () => {
  await program.end();
  await server.close();
});
/** One active owner with a session, and nobody else. */
beforeEach(async () => {
  await program.query(`delete from watchfloor."user"`);
  first = await server.owner();
  one = await signedInClient(server.origin, ownerCredentials);
});

const path = (id: string) => `${USERS}/${id}`;

async function add(role: string, more: object = { password }): Promise<{ id: string }> {
  const email = `p${++made}@example.com`;
  const { status, body } = await one.call("POST", USERS, { email, name: "P", role, ...more });
  expect(status).toBe(201);
  return { id: String(body.id), ...(await signedInIf(email, more)) };
}

async function signedInIf(email: string, more: object): Promise<object> {
  return "password" in more ? signedInClient(server.origin, { email, password }) : {};
}

async function ownersThatCanComeIn(): Promise<number> {
  const { rowCount } = await program.query(
    `select 1 from watchfloor."user"
     where role = 'owner' and status = 'active' and password_hash is not null`,
  );
  return rowCount ?? 0;
}

type OwnerAction = (by: ApiClient, id: string) => Promise<{ status: number; body: object }>;
const actions: [string, OwnerAction][] = [
  ["another role", (by, id) => by.call("PATCH", path(id), { role: "admin" })],
  ["disabling", (by, id) => by.call("PATCH", path(id), { status: "disabled" })],
  ["removal", (by, id) => by.call("DELETE", path(id))],
];

describe("the last owner can't be removed", () => {
  it.each(actions)("%s of oneself is refused, and nothing of it is done", async (_, action) => {
    expect((await action(one, first)).body).toMatchObject(lastOwner);
    expect((await one.call("GET", path(first))).body).toMatchObject({
      role: "owner",
      status: "active",
    });
  });

  it("also beside owners who are disabled, invited, or have no password", async () => {
    const disabled = await add("owner");
    await one.call("PATCH", path(disabled.id), { status: "disabled" });
    const invited = await add("owner", {});
    const repeated = await add("owner", {});
    await one.call("PATCH", path(repeated.id), { status: "disabled" });
    const { body } = await one.call("PATCH", path(repeated.id), { status: "active" });
    expect(body.status).toBe("invited");
    for (const [, action] of actions)
      expect((await action(one, first)).body).toMatchObject(lastOwner);
    expect((await one.call("PATCH", path(invited.id), { role: "viewer" })).status).toBe(200);
    await one.call("PATCH", path(disabled.id), { status: "active" });
    expect((await one.call("PATCH", path(first), { role: "admin" })).status).toBe(200);
    expect(await ownersThatCanComeIn()).toBe(1);
  });

  it("the role itself can't be narrowed, renamed or removed", async () => {
    const role = "/api/v1/roles/owner";
    for (const change of [{ rights: [] }, { grants: {} }, { name: "Nobody" }]) {
      expect((await one.call("PATCH", role, change)).status).toBe(403);
    }
    expect((await one.call("DELETE", role)).status).toBe(403);
  });

  it.each(actions)("two owners at the same moment (%s): one of them goes", async (_, action) => {
    for (let round = 0; round < 3; round++) {
      const two = (await add("owner")) as ApiClient & { id: string };
      const answers = await Promise.all([action(one, two.id), action(two, first)]);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(answers.every(({ status }) => status < 500)).toBe(true);
      expect(await ownersThatCanComeIn()).toBe(1);
      if ((answers[0]?.status ?? 500) >= 300) return;
    }
  });

  it("a user who becomes the last one while their role is being changed", async () => {
    const { id } = await add("editor");
    await program.query("begin");
    await program.query(`update watchfloor."user" set role = 'owner' where id = $1`, [id]);
    // At once: locking one and then the other in different orders would deadlock.
    await program.query(`update watchfloor."user" set status = 'disabled' where id = $1`, [first]);
    const change = one.call("PATCH", path(id), { role: "viewer" });
    const holder = (await program.query("select pg_backend_pid() as pid")).rows[0].pid;
    const watcher = new Client({ connectionString: server.databaseUrl });
    await watcher.connect();
    await until("the change waits for the other one", BLOCKED_WITHIN_MS, async () => {
      const { rowCount } = await watcher.query(
        "select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) and query ~ 'for update'",
        [holder],
      );
      return (rowCount ?? 0) > 0;
    });
    await watcher.end();
    await program.query("commit");
    expect((await change).body).toMatchObject(lastOwner);
    expect(await ownersThatCanComeIn()).toBe(1);
  });
});
