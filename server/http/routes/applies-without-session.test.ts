import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import type { ChangeSetInfo, ChangeSetPreview } from "../../../shared/protocol/change-sets.ts";
import type { ApiClient } from "../testing/api-client.ts";
import { signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const { server, owner, member } = await serveTests("service-desk", {
  CHANGE_SET_ATOMIC_MAX_OPS: "2",
  CHANGE_SET_BATCH_OPS: "2",
});
const sets = "/api/v1/change-sets";
const RECORDS = 8;
let program: Client;
let watcher: Client;
let serial = 0;

beforeAll(async () => {
  program = new Client({ connectionString: server.databaseUrl });
  watcher = new Client({ connectionString: server.databaseUrl });
  await Promise.all([program.connect(), watcher.connect()]);
});
afterAll(() => Promise.all([program.end(), watcher.end()]));

const read = async (client: ApiClient, id: string) =>
  (await client.call("GET", `${sets}/${id}`)).body as unknown as ChangeSetInfo;

/** A set of a user that is being applied: two of its batches are committed, and the third waits for another program. */
async function applying(me: ApiClient): Promise<{ id: string; release: () => Promise<unknown> }> {
  serial += 1;
  const records = Array.from({ length: RECORDS }, (_, index) => `apply-${serial}-${index}`);
  for (const record of records) {
    const call = { record, values: { title: "old", state: "New" } };
    const made = await owner.call("POST", "/api/v1/tables/incidents/records", call);
    expect(made.status).toBe(201);
  }
  const edit = { set: { title: "new" }, base: { title: "old" } };
  const ops = records.map((record) => ({ op: "update", table: "incidents", record, ...edit }));
  const id = String((await me.call("POST", sets, { ops })).body.id);
  const { rows: holders } = await program.query("select pg_backend_pid() as pid");
  const holder = holders[0].pid;
  await program.query("begin");
  await program.query("select from incidents where id = $1 for update", [records[4]]);
  expect((await me.call("POST", `${sets}/${id}/apply`, {})).status).toBe(202);
  await until("the third batch waits", 30_000, async () => {
    const { rows } = await watcher.query(
      "select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))",
      [holder],
    );
    return rows.length > 0;
  });
  return { id, release: () => program.query("commit") };
}

describe("G3 a set whose author goes away while it is applied", () => {
  it("is applied to its end although they have signed out", async () => {
    const me = await member();
    const { id, release } = await applying(me);
    expect((await me.call("DELETE", "/api/v1/session")).status).toBe(204);
    expect((await me.call("GET", `${sets}/${id}`)).status).toBe(401);
    await release();
    const again = await signedInClient(server.origin, me.credentials);
    await expect
      .poll(() => read(again, id), { timeout: 30_000 })
      .toMatchObject({ state: "applied", progress: { applied: RECORDS, total: RECORDS } });
  });

  it("is cancelled when their account is deactivated, and says which ops were applied", async () => {
    const me = await member();
    const { id, release } = await applying(me);
    const setStatus = (status: "active" | "disabled") =>
      owner.call("PATCH", `/api/v1/users/${me.id}`, { status });
    expect((await setStatus("disabled")).status).toBe(200);
    await release();
    await expect
      .poll(() => read(owner, id), { timeout: 30_000 })
      .toMatchObject({ state: "cancelled" });
    await setStatus("active");
    const again = await signedInClient(server.origin, me.credentials);
    const { progress } = await read(again, id);
    const { body } = await owner.call("GET", `/api/v1/changes?changeSet=${id}`);
    expect(progress).toMatchObject({ applied: (body.items as unknown[]).length, total: RECORDS });
    expect(progress.applied).toBeLessThan(RECORDS);
    const preview = (await again.call("GET", `${sets}/${id}/preview`)).body;
    const outcomes = (preview as unknown as ChangeSetPreview).items.map(({ outcome }) => outcome);
    expect(outcomes).toEqual([
      ...Array(progress.applied).fill("applied"),
      ...Array(RECORDS - progress.applied).fill(undefined),
    ]);
  });
});
