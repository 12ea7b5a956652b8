import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import { testIdentity, withReplaced } from "../commands/testing/command-environment.ts";
import {
  boss,
  buildScopedDesk,
  everything,
  reader,
  refusalOf,
  rowsOfRed,
  type ScopedDesk,
  table,
} from "../commands/testing/scoped-desk.ts";
import { ChangeSets } from "./change-sets.ts";
import { ann, rename } from "./testing/change-set-desk.ts";

const small = { CHANGE_SET_ATOMIC_MAX_OPS: 2, CHANGE_SET_BATCH_OPS: 2 };

/**
 * Faults while a set is applied: two servers apply it at once, rights and the model change, and the input is large or
 * invalid.
 */
describe.each(databases.slice(0, 1))("change sets under attack on $name", (kind) => {
  let desk: ScopedDesk;
  let current: Identity | null = boss;
  const node = (limits: Partial<Limits> = {}, commands: Partial<Commands> = {}) =>
    new ChangeSets({
      database: desk.database,
      model: () => desk.model,
      limits: { ...defaultLimits, ...limits },
      commands: withReplaced(desk.commands, commands),
      identify: async () => current,
      onError: (error) => desk.errors.push(error),
    });
  beforeAll(async () => {
    desk = await buildScopedDesk(kind);
  });
  afterAll(async () => {
    expect(desk.errors).toEqual([]);
    await desk[Symbol.asyncDispose]();
  });

  const incidents = (count: number) =>
    Promise.all(Array.from({ length: count }, () => desk.createIncident()));
  const changesOf = async (changeSet: string) =>
    (await desk.commands.readActivity(boss, { changeSet })).items;

  it("G3 two servers that apply a set at the same time apply each op once", async () => {
    const records = await incidents(9);
    const [one, two] = [node(small), node({ ...small, CHANGE_SET_BATCH_OPS: 3 })];
    const set = await one.create(boss, { ops: records.map((record) => rename(record, "twice")) });
    const answers = await Promise.allSettled([
      one.apply(boss, set.id, {}),
      two.apply(boss, set.id, {}),
      one.apply(boss, set.id, {}),
    ]);
    expect(answers.some(({ status }) => status === "fulfilled")).toBe(true);
    await expect.poll(() => one.one(boss, set.id)).toMatchObject({ state: "applied" });
    const changes = await changesOf(set.id);
    expect(changes.map(({ record }) => record).toSorted()).toEqual(records.toSorted());
  });

  it("G3 commits no batch as an author whose rights ended while they waited for their share", async () => {
    const records = await incidents(6);
    const late: unknown[] = [];
    const { commands } = desk;
    const waiting = node(small, {
      mutate(identity, request) {
        if (current === null) late.push(request.id);
        return commands.mutate(identity, request);
      },
      async untilWithinShare() {
        current = null;
        return false;
      },
      paced(identity, part) {
        current = null;
        return commands.paced(identity, part);
      },
    });
    const set = await node().create(boss, { ops: records.map((record) => rename(record, "mine")) });
    // Who is gone when the answer is made gets none.
    await waiting.apply(boss, set.id, { atomic: false }).catch(() => undefined);
    await expect.poll(() => node().one(boss, set.id)).toMatchObject({ state: "cancelled" });
    current = boss;
    expect(late).toEqual([]);
  });

  it("G3 waits for its author's share before the first batch, which is small", async () => {
    const records = await incidents(25);
    const steps: (string | number)[] = [];
    const { commands } = desk;
    const busy = node(
      { CHANGE_SET_ATOMIC_MAX_OPS: 2 },
      {
        mutate(identity, request) {
          steps.push(request.ops.length);
          return commands.mutate(identity, request);
        },
        async untilWithinShare() {
          steps.push("within share");
          return true;
        },
      },
    );
    const set = await busy.create(boss, { ops: records.map((record) => rename(record, "ours")) });
    await busy.apply(boss, set.id, { atomic: false });
    await expect.poll(() => busy.one(boss, set.id)).toMatchObject({ state: "applied" });
    expect(steps.slice(0, 3)).toEqual(["within share", 10, "within share"]);
  });

  it("G10 counts and shows an author's ops alike, whether or not their ids belong to records that they may not read", async () => {
    const hidden = await desk.createIncident("Blue");
    for (const op of ["create", "restore"] as const) {
      const ofId = (record: string): WireOp =>
        op === "create"
          ? { op, table, record, values: { title: "mine", group: "Red" } }
          : { op, table, record };
      const ofHidden = await node().create(rowsOfRed, { ops: [ofId(hidden)] });
      const ofMissing = await node().create(rowsOfRed, { ops: [ofId("no such record")] });
      expect(ofHidden.counts).toEqual(ofMissing.counts);
      expect(ofHidden.progress).toEqual(ofMissing.progress);
      await node().remove(rowsOfRed, ofHidden.id);
      await node().remove(rowsOfRed, ofMissing.id);
    }
  });

  it("stores a user's large drafts one after the other, so that they take no more than one connection", async () => {
    let [running, most] = [0, 0];
    const { commands } = desk;
    const slow = node(small, {
      async paced(identity, part) {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        return commands.paced(identity, part).finally(() => {
          running -= 1;
        });
      },
    });
    const [record] = await incidents(1);
    const ops = Array.from({ length: 30 }, () => rename(record as string, "mine"));
    const drafts = Array.from({ length: 5 }, () => slow.create(boss, { ops }));
    for (const { id } of await Promise.all(drafts)) await slow.remove(boss, id);
    expect(most).toBe(1);
  });

  it("G3 repeats a batch in its original size, even if other users have become active", async () => {
    const records = await incidents(8);
    const dying = node(
      { ...small, CHANGE_SET_BATCH_OPS: 4 },
      {
        mutate: async (identity, request) => {
          await desk.commands.mutate(identity, request);
          throw new Error("killed after the commit");
        },
      },
    );
    const set = await dying.create(boss, { ops: records.map((record) => rename(record, "sized")) });
    await dying.apply(boss, set.id, {});
    await expect.poll(() => desk.errors.splice(0)).toMatchObject([{ message: /killed/ }]);
    await desk.database.pool.query("update watchfloor.change_set set lease_until = null");
    const stop = node({ ...small, CHANGE_SET_RESUME_INTERVAL_MS: 50 }).start();
    await expect.poll(() => dying.one(boss, set.id)).toMatchObject({ state: "applied" });
    await stop();
    expect((await dying.one(boss, set.id)).progress).toMatchObject({ applied: 8, conflicts: 0 });
    expect(await changesOf(set.id)).toHaveLength(8);
  });

  it("G4 is reverted, and not deleted, where it was cancelled after a batch that was not noted", async () => {
    const records = await incidents(4);
    const dying = node(small, {
      mutate: async (identity, request) => {
        await desk.commands.mutate(identity, request);
        throw new Error("killed after the commit");
      },
    });
    const set = await dying.create(boss, { ops: records.map((record) => rename(record, "lost")) });
    await dying.apply(boss, set.id, {});
    await expect.poll(() => desk.errors.splice(0)).toMatchObject([{ message: /killed/ }]);
    await dying.cancel(boss, set.id);
    await desk.database.pool.query("update watchfloor.change_set set lease_until = null");
    const stop = node({ ...small, CHANGE_SET_RESUME_INTERVAL_MS: 50 }).start();
    await expect.poll(() => dying.one(boss, set.id)).toMatchObject({ state: "cancelled" });
    await stop();
    expect((await node().one(boss, set.id)).progress).toMatchObject({ applied: 2, total: 4 });
    const { items } = await node().preview(boss, set.id, {});
    expect(items.map(({ outcome }) => outcome)).toEqual([
      "applied",
      "applied",
      undefined,
      undefined,
    ]);
    expect(await refusalOf(node().remove(boss, set.id))).toMatchObject({ code: "conflict" });
    const back = await node().revert(boss, set.id);
    expect(await node().apply(boss, back.id, {})).toMatchObject({ applied: 2 });
  });

  it("G3 refuses the rest of a set when its author loses a right, and ends it when the author is gone", async () => {
    const noUpdate = reader({ ...everything, read: true, update: false });
    const ends: [Identity | null, string, number][] = [
      [{ ...boss, subject: noUpdate.subject }, "applied", 4],
      [null, "cancelled", 0],
    ];
    for (const [then, state, refused] of ends) {
      current = boss;
      const records = await incidents(6);
      const losing = node(small, {
        async mutate(identity, request) {
          const answer = await desk.commands.mutate(identity, request);
          current = then;
          return answer;
        },
      });
      const ops = records.map((record) => rename(record, "before the loss"));
      const set = await losing.create(boss, { ops });
      // Who is gone when the answer is made gets none.
      await losing.apply(boss, set.id, {}).catch(() => undefined);
      await expect.poll(() => losing.one(boss, set.id)).toMatchObject({ state });
      expect((await losing.one(boss, set.id)).progress).toMatchObject({ applied: 2, refused });
      expect(await changesOf(set.id)).toHaveLength(2);
    }
    current = boss;
  });

  it("G1 refuses a field that was removed after the draft was made, and leaves the rest for a decision", async () => {
    const records = await incidents(2);
    const sets = node();
    const notes = {
      ...rename(records[1] ?? "", ""),
      set: { notes: "x" },
      base: { notes: "secret" },
    };
    const set = await sets.create(boss, {
      ops: [rename(records[0] ?? "", "renamed"), notes as WireOp],
    });
    const before = desk.model;
    const changed = {
      ...before,
      tables: before.tables.map((one) => ({
        ...one,
        fields: one.fields.filter(({ name }) => one.name !== table || name !== "notes"),
      })),
    };
    const later = new ChangeSets({
      ...{ database: desk.database, model: () => changed, limits: defaultLimits },
      ...{ commands: desk.commands, identify: async () => boss, onError: () => {} },
    });
    const preview = await later.preview(boss, set.id, {});
    expect(preview.items.map(({ status }) => status)).toEqual(["update", "error"]);
    expect(await later.apply(boss, set.id, {})).toMatchObject({
      ...{ state: "draft", applied: 0 },
      refused: [{ index: 1, error: { code: "invalid_request" } }],
    });
    expect(await changesOf(set.id)).toEqual([]);
  });

  it("G5 a very large set of another user shortens its counts, and doesn't close the list", async () => {
    const records = await incidents(5);
    const sets = node({ CHANGE_SET_MAX_OPS: 1_000 });
    const set = await sets.create(boss, { ops: records.map((record) => rename(record, "many")) });
    await sets.apply(boss, set.id, {});
    const bounded = node({ CHANGE_SET_MAX_OPS: 3 });
    const seen = (await bounded.list(ann, {})).find(({ id }) => id === set.id);
    expect(seen).toMatchObject({ isOwn: false, counts: { update: 3 } });
    expect(await bounded.preview(ann, set.id, {})).toMatchObject({ total: 3 });
    expect(await refusalOf(bounded.revert(ann, set.id))).toMatchObject({ code: "too_large" });
  });

  it("G5 reading a set does not wait for the previews of others", async () => {
    const [record = ""] = await incidents(1);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const slow = node(
      {},
      {
        dryRun: (identity, named) => {
          const run = desk.commands.dryRun(identity, named);
          return async (ops) => {
            await held;
            return run(ops);
          };
        },
      },
    );
    const users = ["p1", "p2", "p3", "p4"].map((id) => testIdentity(id, "owner"));
    const previews = await Promise.all(
      users.map(async (user) => {
        const set = await slow.create(user, { ops: [rename(record, user.user.id)] });
        return () => slow.preview(user, set.id, {});
      }),
    );
    const running = previews.map((preview) => preview());
    expect(await slow.list(ann, {})).toEqual(expect.any(Array));
    release();
    expect(await Promise.all(running)).toMatchObject(users.map(() => ({ total: 1 })));
  });

  it("G6 refuses values that no database can hold, and names their place", async () => {
    const [record = ""] = await incidents(1);
    const sets = node();
    for (const bad of ["nul \0", "half \ud83d"]) {
      const ops = [rename(record, "good"), rename(record, bad)];
      expect(await refusalOf(sets.create(boss, { ops }))).toMatchObject({ at: "ops", index: 1 });
      expect(await refusalOf(sets.create(boss, { title: bad }))).toMatchObject({ at: "title" });
      const { id } = await sets.create(boss, {});
      expect(await refusalOf(sets.change(boss, id, { add: ops }))).toMatchObject({ at: "ops" });
      expect(await refusalOf(sets.change(boss, id, { title: bad }))).toMatchObject({ at: "title" });
    }
  });
});
