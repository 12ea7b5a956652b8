import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { ChangeNotifier, type TopicChange } from "../store/change-notifier.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { migrate } from "../store/schema/migrate.ts";
import { type Auth, createAuth } from "./create-auth.ts";
import { ensureOwner } from "./setup.ts";
import { signOut, startSession } from "./sign-in.ts";

/** Two servers on one database: the second hears of the first from Postgres alone. */
interface Node {
  auth: Auth;
  received: TopicChange[];
  close(): Promise<void>;
}

function startNode(url: string): Node {
  const database: Database = openDatabase({
    connectionString: url,
    poolSize: 2,
    onError: () => {},
  });
  const notifier = new ChangeNotifier();
  const auth = createAuth({
    db: database.kysely,
    limits: defaultLimits,
    applyTemplate: async () => {},
    notifier,
  });
  const received: TopicChange[] = [];
  notifier.on(["session", "user", "role"], (change) => received.push(change));
  // Without polling: what is received was notified.
  notifier.start(database, () => {}, { pollMs: 86_400_000 });
  return {
    auth,
    received,
    async close() {
      notifier.stop();
      await database.close();
    },
  };
}

describe.each(databases)("a right taken away on $name", ({ create }) => {
  let url: string;
  let drop: () => Promise<void>;
  let one: Node;
  let two: Node;
  let user: string;
  const caller = { ip: "::1", userAgent: "test" };

  const run = async (text: string, values: unknown[] = []) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(text, values);
    await client.end();
  };

  beforeAll(async () => {
    const own = await create();
    ({ url, drop } = own);
    const database = openDatabase({ connectionString: url, poolSize: 1, onError: () => {} });
    await migrate(database);
    await database.close();
    [one, two] = [startNode(url), startNode(url)];
    const owner = {
      email: "o@example.com",
      password: "a long password",
      template: "empty" as const,
    };
    user = (await ensureOwner(one.auth, owner)) ?? "";
    const connected = () => expect(two.received).toContainEqual({ topic: "user", id: null });
    await vi.waitFor(connected, { timeout: 60_000 });
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await drop();
  });
  beforeEach(() => {
    two.received.length = 0;
  });

  it("ends the session on another server, which had just accepted it", async () => {
    const token = await startSession(one.auth, user, caller, "link");
    const identity = await two.auth.authenticate(token);
    if (!identity) throw new Error("The session was not known.");
    await signOut(one.auth, identity);
    const session = { topic: "session", id: identity.session };
    await expect.poll(() => two.received).toContainEqual(session);
    expect(await two.auth.authenticate(token)).toBeNull();
  });

  it("is received when it was done by hand in Postgres", async () => {
    const token = await startSession(one.auth, user, caller, "link");
    expect((await two.auth.authenticate(token))?.subject.role.id).toBe("owner");
    await run(`update watchfloor."user" set role = 'viewer' where id = $1`, [user]);
    await expect.poll(() => two.received).toContainEqual({ topic: "user", id: user });
    expect((await two.auth.authenticate(token))?.subject.role.id).toBe("viewer");
    await run(`update watchfloor."user" set role = 'owner' where id = $1`, [user]);
    await expect.poll(() => two.received).toHaveLength(2);
  });

  it("is received when the grants of a role were changed, by hand too", async () => {
    await run("insert into watchfloor.role (id, name) values ('r', 'R')");
    await run(`update watchfloor."user" set role = 'r' where id = $1`, [user]);
    const token = await startSession(one.auth, user, caller, "link");
    expect((await two.auth.authenticate(token))?.subject.role.rights).toEqual([]);
    await run(`update watchfloor.role set rights = '["users"]'`);
    await expect.poll(() => two.received).toContainEqual({ topic: "role", id: "r" });
    expect((await two.auth.authenticate(token))?.subject.role.rights).toEqual(["users"]);
    await run(`update watchfloor.role set grants = '{"*": {"read": "everything"}}'`);
    await expect.poll(() => two.received.filter(({ topic }) => topic === "role")).toHaveLength(2);
    const { role } = (await two.auth.authenticate(token))?.subject ?? {};
    expect(role).toMatchObject({ id: "r", rights: [], grants: {} });
    await run(`update watchfloor."user" set role = 'owner' where id = $1`, [user]);
    await expect.poll(() => two.received.filter(({ topic }) => topic === "user")).toHaveLength(2);
  });

  it("is not sent if nothing changed except the time of the last visit", async () => {
    await run(`update watchfloor."user" set last_seen = now() where id = $1`, [user]);
    await run(`update watchfloor."user" set name = 'Last' where id = $1`, [user]);
    await expect.poll(() => two.received).toEqual([{ topic: "user", id: user }]);
  });

  it("revalidates everything when the database connection broke", async () => {
    await run(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'watchfloor listener' and datname = current_database()`);
    await expect.poll(() => two.received).toContainEqual({ topic: "user", id: null });
  });
});
