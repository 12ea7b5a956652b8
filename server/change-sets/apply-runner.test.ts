import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { withReplaced } from "../commands/testing/command-environment.ts";
import { boss, refusalOf, table } from "../commands/testing/scoped-desk.ts";
import { type ChangeSetDesk, openChangeSetDesk, rename } from "./testing/change-set-desk.ts";

describe.each(databases)("applying a change set on $name", (kind) => {
  let at: ChangeSetDesk;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind);
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  it("G2 applies nothing while a conflict is neither resolved nor skipped", async () => {
    const [one, two] = await Promise.all([1, 2].map(() => at.desk.createIncident()));
    const set = await at.draft([rename(one as string, "mine"), rename(two as string, "mine")]);
    await at.desk.overwrite(two as string, { title: "theirs" });
    const refused = await at.sets.apply(boss, set.id, {});
    expect(refused).toMatchObject({
      state: "draft",
      applied: 0,
      conflicts: [{ index: 1, fields: { title: { base: "first", theirs: "theirs" } } }],
      refused: [],
    });
    expect((await at.valuesOf(one as string)).title).toBe("first");
    const replace = [{ index: 1, op: rename(two as string, "mine", "theirs") }];
    await at.sets.change(boss, set.id, { replace });
    expect(await at.sets.apply(boss, set.id, {})).toMatchObject({ state: "applied", applied: 2 });
    expect(await at.changesOf(set)).toHaveLength(2);
    expect((await at.changesOf(set))[0]).toMatchObject({ origin: "api", changeSet: set.id });
    expect(await at.sets.apply(boss, set.id, {})).toMatchObject({ state: "applied", applied: 2 });
    expect(await at.changesOf(set)).toHaveLength(2);
  });

  it("G2 skips the given ops, and without atomic runs each op by itself", async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => at.desk.createIncident()));
    await at.desk.overwrite(two as string, { title: "theirs" });
    const ops = [one, two, three].map((record) => rename(record as string, "mine"));
    const skipping = await at.draft(ops);
    expect(await at.sets.apply(boss, skipping.id, { skip: [1, 2] })).toMatchObject({
      state: "applied",
      applied: 1,
      progress: { total: 3, skipped: 2 },
    });
    const again = [one, two, three].map((record) => rename(record as string, "again"));
    const each = await at.draft([rename(one as string, "again", "mine"), ...again.slice(1)]);
    expect(await at.sets.apply(boss, each.id, { atomic: false })).toMatchObject({
      state: "applied",
      conflicts: [{ index: 1 }],
      progress: { applied: 2, conflicts: 1 },
    });
    const done = await at.sets.preview(boss, each.id, {});
    expect(done.counts).toMatchObject({ update: 2, error: 1 });
    expect(done.items.map(({ outcome }) => outcome)).toEqual(["applied", "conflict", "applied"]);
    const failed = await at.sets.preview(boss, each.id, { status: "error" });
    expect(failed).toMatchObject({ total: 1, items: [{ index: 1 }] });
    const updated = await at.sets.preview(boss, each.id, { status: "update", offset: 1 });
    expect(updated).toMatchObject({ total: 2, items: [{ index: 2 }] });
  });

  it.each([[{}], [{ atomic: true }], [{ atomic: false }]])(
    "G2 counts ops that have nothing to change as unchanged, not as applied: %j",
    async (call) => {
      const [one, two] = await Promise.all([1, 2].map(() => at.desk.createIncident()));
      const set = await at.draft([rename(one as string, "mine"), rename(two as string, "first")]);
      expect(await at.sets.apply(boss, set.id, call)).toMatchObject({
        state: "applied",
        applied: 1,
        progress: { total: 2, applied: 1, skipped: 0, unchanged: 1 },
      });
      expect(await at.sets.preview(boss, set.id, { status: "unchanged" })).toMatchObject({
        counts: { update: 1, unchanged: 1 },
        items: [{ index: 1, outcome: "unchanged" }],
      });
      const back = await at.sets.revert(boss, set.id);
      await at.sets.apply(boss, back.id, {});
      expect(await at.sets.one(boss, set.id)).toMatchObject({ state: "reverted" });
    },
  );

  it("G2 resolves conflicts cell by cell on the value that the author saw", async () => {
    const [one, two, gone] = await Promise.all([1, 2, 3].map(() => at.desk.createIncident()));
    const both = (record: string | undefined): WireOp => ({
      op: "update",
      table,
      record: record as string,
      set: { title: "mine", notes: "mine" },
      base: { title: "first", notes: "secret" },
    });
    const { version } = await at.desk.commands.readRecord(boss, table, gone as string);
    const set = await at.draft([
      both(one),
      both(two),
      { op: "delete", table, record: gone as string, version },
    ]);
    for (const record of [one, two, gone]) {
      await at.desk.overwrite(record as string, { title: "theirs" });
    }
    const resolve = (index: number, keep: "mine" | "theirs", theirs = "theirs") =>
      at.sets.change(boss, set.id, { resolve: [{ index, field: "title", keep, theirs }] });
    await resolve(0, "theirs");
    await resolve(1, "mine", "what it no longer is");
    await resolve(2, "theirs");
    const preview = await at.sets.preview(boss, set.id, {});
    expect(preview.items.map(({ status }) => status)).toEqual(["update", "error", "unchanged"]);
    await resolve(1, "mine");
    expect(await at.sets.apply(boss, set.id, {})).toMatchObject({ state: "applied" });
    expect(await at.valuesOf(one as string)).toMatchObject({ title: "theirs", notes: "mine" });
    expect(await at.valuesOf(two as string)).toMatchObject({ title: "mine", notes: "mine" });
    expect(await at.valuesOf(gone as string)).toMatchObject({ title: "theirs" });
    const wrong = { index: 9, field: "title", keep: "mine", theirs: null } as const;
    const other = await at.draft([both(one)]);
    expect(await refusalOf(at.sets.change(boss, other.id, { resolve: [wrong] }))).toMatchObject({
      code: "invalid_request",
    });
  });

  it("G3 applies a large set in batches, goes on after a crash, and applies each op once", async () => {
    const records = await Promise.all(Array.from({ length: 12 }, () => at.desk.createIncident()));
    const small = { CHANGE_SET_ATOMIC_MAX_OPS: 4, CHANGE_SET_BATCH_OPS: 3 };
    const set = await at.draft(records.map((record) => rename(record, "batched")));
    let calls = 0;
    const dying = withReplaced(at.desk.commands, {
      async mutate(identity, request) {
        calls += 1;
        const answer = await at.desk.commands.mutate(identity, request);
        if (calls === 2) throw new Error("killed after the commit");
        return answer;
      },
    });
    const first = at.node(small, dying);
    expect(await first.apply(boss, set.id, {})).toMatchObject({ state: "applying" });
    await expect.poll(() => at.desk.errors.splice(0)).toMatchObject([{ message: /killed/ }]);
    expect(await at.sets.one(boss, set.id)).toMatchObject({ progress: { applied: 3, total: 12 } });
    await at.desk.database.pool.query("update watchfloor.change_set set lease_until = null");
    const stop = at.node({ ...small, CHANGE_SET_RESUME_INTERVAL_MS: 50 }).start();
    await expect.poll(() => at.sets.one(boss, set.id)).toMatchObject({ state: "applied" });
    await stop();
    const changes = await at.changesOf(set);
    expect(changes).toHaveLength(12);
    expect(new Set(changes.map(({ record }) => record)).size).toBe(12);
    expect((await at.sets.one(boss, set.id)).progress).toMatchObject({ total: 12, applied: 12 });
  });

  it("G3 ends after the present batch when it is cancelled, and what it did can be reverted", async () => {
    const records = await Promise.all(Array.from({ length: 6 }, () => at.desk.createIncident()));
    const set = await at.draft(records.map((record) => rename(record, "half")));
    const small = { CHANGE_SET_ATOMIC_MAX_OPS: 2, CHANGE_SET_BATCH_OPS: 2 };
    const cancelling = withReplaced(at.desk.commands, {
      async mutate(identity, request) {
        await at.sets.cancel(boss, set.id);
        return at.desk.commands.mutate(identity, request);
      },
    });
    await at.node(small, cancelling).apply(boss, set.id, {});
    await expect
      .poll(() => at.sets.one(boss, set.id))
      .toMatchObject({
        state: "cancelled",
        progress: { applied: 2, total: 6 },
      });
    const { counts } = await at.sets.preview(boss, set.id, {});
    expect(counts).toMatchObject({ update: 2, unchanged: 4 });
    expect(await at.sets.preview(boss, set.id, { status: "unchanged" })).toMatchObject({
      total: 4,
    });
    const updated = await at.sets.preview(boss, set.id, { status: "update" });
    expect(updated.items.map(({ outcome }) => outcome)).toEqual(["applied", "applied"]);
    const back = await at.sets.revert(boss, set.id);
    await at.sets.apply(boss, back.id, {});
    expect((await at.valuesOf(records[0] as string)).title).toBe("first");
    expect((await at.sets.one(boss, set.id)).state).toBe("reverted");
  });
});
