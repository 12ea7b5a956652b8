import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { signedInClient } from "./testing/api-client.ts";
import { serveTests } from "./testing/test-server.ts";

/** Another program holds locks on the platform's tables. */

const GUARD_MS = 30_000;
const { server, owner } = await serveTests("service-desk");
let program: pg.Client;

beforeAll(async () => {
  program = new pg.Client({ connectionString: server.adminUrl });
  await program.connect();
});
afterAll(async () => {
  await program.end();
});

const password = "another long password";

async function somebody(email: string, role: string): Promise<string> {
  const call = { email, name: "Somebody", role, password };
  return String((await owner.call("POST", "/api/v1/users", call)).body.id);
}

/** The session that waits for the program's lock, once it is another than `former`. */
function waiting(former = 0): Promise<number> {
  // of the locks, because other views do not change within a transaction
  const text = `select pid from pg_locks
    where not granted and pid <> $1 and pg_backend_pid() = any(pg_blocking_pids(pid))`;
  return until("the server waits", GUARD_MS, async () => {
    return (await program.query<{ pid: number }>(text, [former])).rows[0]?.pid;
  });
}

describe("a call that waits for other transactions", () => {
  it("is answered with a retry time after a deadlock, and succeeds then", async () => {
    const made = await owner.call("POST", "/api/v1/roles", {
      name: "Desk",
      grants: {},
      rights: [],
    });
    const role = String(made.body.id);
    const id = await somebody("deadlock@example.com", "viewer");
    await program.query("begin");
    // of the two in the deadlock the server's one is ended
    await program.query("set local deadlock_timeout = '60s'");
    await program.query("select from watchfloor.role where id = $1 for update", [role]);
    const change = () => owner.call("PATCH", `/api/v1/users/${id}`, { role });
    const changing = change();
    await waiting();
    const crossing = program.query('select from watchfloor."user" where id = $1 for update', [id]);
    const { status, headers, body } = await changing;
    await crossing;
    await program.query("commit");
    expect({ status, code: body.code }).toEqual({ status: 503, code: "unavailable" });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await change()).toMatchObject({ status: 200, body: { role } });
  });

  it("is answered with a retry time if it waited too long", async () => {
    const id = await somebody("waits@example.com", "viewer");
    await program.query("begin");
    await program.query('select from watchfloor."user" where id = $1 for update', [id]);
    const answer = await owner.call("PATCH", `/api/v1/users/${id}`, { role: "editor" });
    await program.query("rollback");
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });
});

describe("an import", () => {
  it("continues by itself if its connection to the store was cut", async () => {
    await program.query("begin");
    await program.query("lock table incidents in exclusive mode");
    const importing = owner.call("POST", "/api/v1/tables/incidents/imports", "title\none\ntwo\n", {
      "content-type": "text/csv",
    });
    const cut = await waiting();
    await program.query("select pg_terminate_backend($1)", [cut]);
    await waiting(cut);
    await program.query("commit");
    expect(await importing).toMatchObject({ status: 200, body: { created: 2 } });
  });
});

describe("recording activity", () => {
  it("waits for no lock, so that it can't deadlock with a sign-out", async () => {
    const credentials = { email: "here@example.com", password };
    const id = await somebody(credentials.email, "viewer");
    const user = await signedInClient(server.origin, credentials);
    const old = "update watchfloor.session set last_seen = now() - interval '10 minutes'";
    await program.query(`${old} where user_id = $1`, [id]);
    // the identity was looked up a moment ago, and is looked up again
    server.auth.notifier.changed("user");
    await program.query("begin");
    await program.query('select from watchfloor."user" where id = $1 for update', [id]);
    expect((await user.call("GET", "/api/v1/session")).status).toBe(200);
    await program.query("delete from watchfloor.session where user_id = $1", [id]);
    await program.query("commit");
    server.auth.notifier.changed("user");
    expect((await user.call("GET", "/api/v1/users")).status).toBe(401);
  });
});
