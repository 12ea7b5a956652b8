import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { systemDatabase } from "../provision/databases.ts";
import { proofSize } from "../provision/proof-size.ts";

const KILLS = proofSize(3, 20);
const CREATED = proofSize(900, 8_000);
const UPDATED = 100;

const environment = {
  CHANGE_SET_ATOMIC_MAX_OPS: "10",
  CHANGE_SET_BATCH_OPS: "10",
  CHANGE_SET_RESUME_INTERVAL_MS: "100",
  CHANGE_SET_LEASE_MS: "500",
};

/** New groups, and every few of them the edit of an incident. */
async function mixedOps(user: TestUser): Promise<WireOp[]> {
  const ops: WireOp[] = [];
  for (let n = 0; n < CREATED; n++) {
    ops.push({ op: "create", table: "groups", values: { name: `Group ${n} of the set` } });
    if (n % (CREATED / UPDATED) !== 0) continue;
    const record = workableIncident(n / (CREATED / UPDATED));
    const { values } = await user.record("incidents", record);
    const base = { title: values.title ?? null };
    ops.push({ op: "update", table: "incidents", record, set: { title: `Edit ${n}` }, base });
  }
  return ops;
}

async function createSet(user: TestUser, ops: readonly WireOp[]): Promise<string> {
  const { id } = await user.call<ChangeSetInfo>("POST", "/change-sets", { title: "Many" });
  for (let from = 0; from < ops.length; from += 500) {
    const add = ops.slice(from, from + 500);
    await user.call("PATCH", `/change-sets/${id}`, { add });
  }
  return id;
}

async function changesOf(user: TestUser, set: string): Promise<ActivityEntry[]> {
  const found: ActivityEntry[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: { items: ActivityEntry[]; next: string | null } = await user.call(
      "GET",
      `/changes?changeSet=${set}&limit=200${next && `&before=${next}`}`,
    );
    found.push(...page.items);
    next = page.next;
  }
  return found;
}

describe("kill -9 of a server that applies a change set", () => {
  it(`applies each op once, also after ${KILLS} kills`, { timeout: 1_200_000 }, async () => {
    const database = await createInstalled(systemDatabase);
    const server = await ServerProcess.start({
      environment: { DATABASE_URL: database.url, ...environment },
    });
    const user = await signIn(server.url, owner);
    const ops = await mixedOps(user);
    const set = await createSet(user, ops);
    const read = () => user.call<ChangeSetInfo>("GET", `/change-sets/${set}`);
    await user.call("POST", `/change-sets/${set}/apply`, {});
    for (let kill = 1; kill <= KILLS; kill++) {
      const until = (ops.length * kill) / (KILLS + 1);
      for (let info = await read(); info.progress.applied < until; info = await read()) {
        expect(info.state).toBe("applying");
        await sleep(5);
      }
      await server.kill("SIGKILL");
      await server.start();
    }
    await expect.poll(read, { timeout: 300_000 }).toMatchObject({
      state: "applied",
      progress: { applied: ops.length, total: ops.length, conflicts: 0, refused: 0 },
    });
    const changes = await changesOf(user, set);
    expect(changes).toHaveLength(ops.length);
    expect(new Set(changes.map(({ table, record }) => `${table} ${record}`)).size).toBe(ops.length);
    await server[Symbol.asyncDispose]();
    await database.drop();
  });
});
