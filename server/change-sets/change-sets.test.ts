import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/create-commands.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
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

const ann = testIdentity("ann", "owner");
const users = new Map<string, Identity>([boss, ann, rowsOfRed].map((one) => [one.user.id, one]));

describe.each(databases)("change sets on $name", (kind) => {
  let desk: ScopedDesk;
  let sets: ChangeSets;
  const node = (limits: Partial<Limits> = {}, commands: Commands = desk.commands) =>
    new ChangeSets({
      database: desk.database,
      model: () => desk.model,
      limits: { ...defaultLimits, ...limits },
      commands,
      identify: async ({ id }) => users.get(id) ?? null,
      onError: (error) => desk.errors.push(error),
    });
  beforeAll(async () => {
    desk = await buildScopedDesk(kind);
    sets = node();
  });
  afterAll(async () => {
    expect(desk.errors).toEqual([]);
    await desk[Symbol.asyncDispose]();
  });

  const valuesOf = async (record: string) =>
    (await desk.commands.readRecord(boss, table, record)).values;
  const rename = (record: string, title: string, base = "first"): WireOp => ({
    op: "update",
    table,
    record,
    set: { title },
    base: { title: base },
  });
  const draft = (ops: WireOp[], title = "A set") => sets.create(boss, { title, ops });
  const changesOf = async ({ id }: ChangeSetInfo) =>
    (await desk.commands.readActivity(boss, { changeSet: id })).items;

  it("G1 previews every op as the commit would evaluate it, and changes nothing", async () => {
    const [one, two, gone] = await Promise.all([1, 2, 3].map(() => desk.createIncident()));
    await desk.overwrite(two as string, { title: "theirs" });
    const set = await draft([
      { op: "create", table, record: "g1-new", values: { title: "new" } },
      rename("g1-new", "renamed", "new"),
      rename(one as string, "first"),
      rename(two as string, "mine"),
      rename(one as string, "x".repeat(501)),
      {
        op: "update",
        table,
        record: one as string,
        set: { state: "Closed" },
        base: { state: "New" },
      },
      { op: "transition", table, record: gone as string, transition: "activate", from: "New" },
      {
        op: "update",
        table,
        record: one as string,
        set: { group: "Nobody" },
        base: { group: "Red" },
      },
    ]);
    const preview = await sets.preview(boss, set.id, {});
    expect(preview.counts).toEqual({ create: 1, update: 2, delete: 0, unchanged: 1, error: 4 });
    expect(preview.items.map(({ status, errors }) => errors[0]?.code ?? status)).toEqual([
      "create",
      "update",
      "unchanged",
      "conflict",
      "validation_failed",
      "transition_required",
      "update",
      "link_broken",
    ]);
    expect(preview.items[1]).toMatchObject({
      before: { title: "new" },
      after: { title: "renamed" },
    });
    expect(preview.items[3]?.errors[0]).toMatchObject({
      fields: { title: { base: "first", mine: "mine", theirs: "theirs" } },
    });
    expect(preview.items[6]).toMatchObject({
      before: { state: "New" },
      after: { state: "Active" },
    });
    const page = await sets.preview(boss, set.id, { limit: 2, offset: 3 });
    expect(page.items).toEqual(preview.items.slice(3, 5));
    const errors = await sets.preview(boss, set.id, { status: "error", limit: 2, offset: 1 });
    expect(errors).toMatchObject({ total: 4, counts: preview.counts });
    expect(errors.items).toEqual(
      preview.items.filter(({ status }) => status === "error").slice(1, 3),
    );
    expect(await refusalOf(desk.commands.readRecord(boss, table, "g1-new"))).toMatchObject({
      code: "not_found",
    });
  });

  it("G2 applies nothing while a conflict is neither resolved nor skipped", async () => {
    const [one, two] = await Promise.all([1, 2].map(() => desk.createIncident()));
    const set = await draft([rename(one as string, "mine"), rename(two as string, "mine")]);
    await desk.overwrite(two as string, { title: "theirs" });
    const refused = await sets.apply(boss, set.id, {});
    expect(refused).toMatchObject({
      state: "draft",
      applied: 0,
      conflicts: [{ index: 1, fields: { title: { base: "first", theirs: "theirs" } } }],
      refused: [],
    });
    expect((await valuesOf(one as string)).title).toBe("first");
    const replace = [{ index: 1, op: rename(two as string, "mine", "theirs") }];
    await sets.change(boss, set.id, { replace });
    expect(await sets.apply(boss, set.id, {})).toMatchObject({ state: "applied", applied: 2 });
    expect(await changesOf(set)).toHaveLength(2);
    expect((await changesOf(set))[0]).toMatchObject({ origin: "api", changeSet: set.id });
    expect(await sets.apply(boss, set.id, {})).toMatchObject({ state: "applied", applied: 2 });
    expect(await changesOf(set)).toHaveLength(2);
  });

  it("G2 skips the given ops, and without atomic runs each op by itself", async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => desk.createIncident()));
    await desk.overwrite(two as string, { title: "theirs" });
    const ops = [one, two, three].map((record) => rename(record as string, "mine"));
    const skipping = await draft(ops);
    expect(await sets.apply(boss, skipping.id, { skip: [1, 2] })).toMatchObject({
      state: "applied",
      applied: 1,
      progress: { total: 3, skipped: 2 },
    });
    const again = [one, two, three].map((record) => rename(record as string, "again"));
    const each = await draft([rename(one as string, "again", "mine"), ...again.slice(1)]);
    expect(await sets.apply(boss, each.id, { atomic: false })).toMatchObject({
      state: "applied",
      conflicts: [{ index: 1 }],
      progress: { applied: 2, conflicts: 1 },
    });
    const done = await sets.preview(boss, each.id, {});
    expect(done.counts).toMatchObject({ update: 2, error: 1 });
    expect(done.items.map(({ outcome }) => outcome)).toEqual(["applied", "conflict", "applied"]);
    const failed = await sets.preview(boss, each.id, { status: "error" });
    expect(failed).toMatchObject({ total: 1, items: [{ index: 1 }] });
    const updated = await sets.preview(boss, each.id, { status: "update", offset: 1 });
    expect(updated).toMatchObject({ total: 2, items: [{ index: 2 }] });
  });

  it.each([[{}], [{ atomic: true }], [{ atomic: false }]])(
    "G2 counts ops that have nothing to change as unchanged, not as applied: %j",
    async (call) => {
      const [one, two] = await Promise.all([1, 2].map(() => desk.createIncident()));
      const set = await draft([rename(one as string, "mine"), rename(two as string, "first")]);
      expect(await sets.apply(boss, set.id, call)).toMatchObject({
        state: "applied",
        applied: 1,
        progress: { total: 2, applied: 1, skipped: 0, unchanged: 1 },
      });
      expect(await sets.preview(boss, set.id, { status: "unchanged" })).toMatchObject({
        counts: { update: 1, unchanged: 1 },
        items: [{ index: 1, outcome: "unchanged" }],
      });
      const back = await sets.revert(boss, set.id);
      await sets.apply(boss, back.id, {});
      expect(await sets.one(boss, set.id)).toMatchObject({ state: "reverted" });
    },
  );

  it("G2 resolves conflicts cell by cell on the value that the author saw", async () => {
    const [one, two, gone] = await Promise.all([1, 2, 3].map(() => desk.createIncident()));
    const both = (record: string | undefined): WireOp => ({
      op: "update",
      table,
      record: record as string,
      set: { title: "mine", notes: "mine" },
      base: { title: "first", notes: "secret" },
    });
    const { version } = await desk.commands.readRecord(boss, table, gone as string);
    const set = await draft([
      both(one),
      both(two),
      { op: "delete", table, record: gone as string, version },
    ]);
    for (const record of [one, two, gone]) {
      await desk.overwrite(record as string, { title: "theirs" });
    }
    const resolve = (index: number, keep: "mine" | "theirs", theirs = "theirs") =>
      sets.change(boss, set.id, { resolve: [{ index, field: "title", keep, theirs }] });
    await resolve(0, "theirs");
    await resolve(1, "mine", "what it no longer is");
    await resolve(2, "theirs");
    const preview = await sets.preview(boss, set.id, {});
    expect(preview.items.map(({ status }) => status)).toEqual(["update", "error", "unchanged"]);
    await resolve(1, "mine");
    expect(await sets.apply(boss, set.id, {})).toMatchObject({ state: "applied" });
    expect(await valuesOf(one as string)).toMatchObject({ title: "theirs", notes: "mine" });
    expect(await valuesOf(two as string)).toMatchObject({ title: "mine", notes: "mine" });
    expect(await valuesOf(gone as string)).toMatchObject({ title: "theirs" });
    const wrong = { index: 9, field: "title", keep: "mine", theirs: null } as const;
    const other = await draft([both(one)]);
    expect(await refusalOf(sets.change(boss, other.id, { resolve: [wrong] }))).toMatchObject({
      code: "invalid_request",
    });
  });

  it("G3 applies a large set in batches, goes on after a crash, and applies each op once", async () => {
    const records = await Promise.all(Array.from({ length: 12 }, () => desk.createIncident()));
    const small = { CHANGE_SET_ATOMIC_MAX_OPS: 4, CHANGE_SET_BATCH_OPS: 3 };
    const set = await draft(records.map((record) => rename(record, "batched")));
    let calls = 0;
    const dying: Commands = {
      ...desk.commands,
      async mutate(identity, request) {
        calls += 1;
        const answer = await desk.commands.mutate(identity, request);
        if (calls === 2) throw new Error("killed after the commit");
        return answer;
      },
    };
    const first = node(small, dying);
    expect(await first.apply(boss, set.id, {})).toMatchObject({ state: "applying" });
    await expect.poll(() => desk.errors.splice(0)).toMatchObject([{ message: /killed/ }]);
    expect(await sets.one(boss, set.id)).toMatchObject({ progress: { applied: 3, total: 12 } });
    await desk.database.pool.query("update watchfloor.change_set set lease_until = null");
    const stop = node({ ...small, CHANGE_SET_RESUME_INTERVAL_MS: 50 }).start();
    await expect.poll(() => sets.one(boss, set.id)).toMatchObject({ state: "applied" });
    await stop();
    const changes = await changesOf(set);
    expect(changes).toHaveLength(12);
    expect(new Set(changes.map(({ record }) => record)).size).toBe(12);
    expect((await sets.one(boss, set.id)).progress).toMatchObject({ total: 12, applied: 12 });
  });

  it("G3 ends after the present batch when it is cancelled, and what it did can be reverted", async () => {
    const records = await Promise.all(Array.from({ length: 6 }, () => desk.createIncident()));
    const set = await draft(records.map((record) => rename(record, "half")));
    const small = { CHANGE_SET_ATOMIC_MAX_OPS: 2, CHANGE_SET_BATCH_OPS: 2 };
    const cancelling: Commands = {
      ...desk.commands,
      async mutate(identity, request) {
        await sets.cancel(boss, set.id);
        return desk.commands.mutate(identity, request);
      },
    };
    await node(small, cancelling).apply(boss, set.id, {});
    await expect
      .poll(() => sets.one(boss, set.id))
      .toMatchObject({
        state: "cancelled",
        progress: { applied: 2, total: 6 },
      });
    const { counts } = await sets.preview(boss, set.id, {});
    expect(counts).toMatchObject({ update: 2, unchanged: 4 });
    expect(await sets.preview(boss, set.id, { status: "unchanged" })).toMatchObject({ total: 4 });
    const updated = await sets.preview(boss, set.id, { status: "update" });
    expect(updated.items.map(({ outcome }) => outcome)).toEqual(["applied", "applied"]);
    const back = await sets.revert(boss, set.id);
    await sets.apply(boss, back.id, {});
    expect((await valuesOf(records[0] as string)).title).toBe("first");
    expect((await sets.one(boss, set.id)).state).toBe("reverted");
  });

  it("G4 reverts edits, creations, deletions and transitions; a revert of the revert ends where it began", async () => {
    const [edited, removed, moved] = await Promise.all([1, 2, 3].map(() => desk.createIncident()));
    const version = (await desk.commands.readRecord(boss, table, removed as string)).version;
    const set = await draft([
      rename(edited as string, "second"),
      { op: "create", table, record: "g4-new", values: { title: "new" } },
      { op: "delete", table, record: removed as string, version },
      { op: "transition", table, record: moved as string, transition: "activate", from: "New" },
    ]);
    await sets.apply(boss, set.id, {});
    const back = await sets.revert(boss, set.id);
    expect(back).toMatchObject({ state: "draft", reverts: set.id, origin: "revert" });
    const preview = await sets.preview(boss, back.id, {});
    expect(preview.counts.update + preview.counts.create + preview.counts.delete).toBe(
      preview.total - preview.counts.error,
    );
    const failed = preview.items.filter(({ errors }) => errors.length).map(({ index }) => index);
    expect(await sets.apply(boss, back.id, { skip: failed })).toMatchObject({ state: "applied" });
    expect((await valuesOf(edited as string)).title).toBe("first");
    expect((await valuesOf(removed as string)).title).toBe("first");
    expect(await refusalOf(desk.commands.readRecord(boss, table, "g4-new"))).toMatchObject({
      code: "record_deleted",
    });
    const forth = await sets.revert(boss, back.id);
    expect(await sets.apply(boss, forth.id, {})).toMatchObject({ state: "applied" });
    expect((await valuesOf(edited as string)).title).toBe("second");
    expect((await valuesOf("g4-new")).title).toBe("new");
    expect(await refusalOf(desk.commands.readRecord(boss, table, removed as string))).toMatchObject(
      {
        code: "record_deleted",
      },
    );
  });

  it("G4 touches no later edit: it is named as a conflict, and the other cells are reverted", async () => {
    const record = await desk.createIncident();
    const set = await draft([
      {
        op: "update",
        table,
        record,
        set: { title: "mine", category: "mine" },
        base: { title: "first", category: null },
      },
    ]);
    await sets.apply(boss, set.id, {});
    const later = {
      op: "update",
      table,
      record,
      set: { title: "later" },
      overwrite: true,
    } as const;
    await desk.run(ann, later);
    const back = await sets.revert(boss, set.id);
    const answer = await sets.apply(boss, back.id, {});
    expect(answer).toMatchObject({
      applied: 0,
      conflicts: [{ index: 1, fields: { title: { theirs: "later", by: { id: "ann" } } } }],
    });
    await sets.apply(boss, back.id, { skip: [1] });
    expect(await valuesOf(record)).toMatchObject({ title: "later", category: null });
    expect((await sets.one(boss, set.id)).state).toBe("applied");
  });

  it("G4 reverts one change, a selection, or what somebody did in a span", async () => {
    const record = await desk.createIncident();
    const from = new Date().toISOString();
    for (const title of ["one", "two"]) {
      await desk.run(ann, { op: "update", table, record, set: { title }, overwrite: true });
    }
    const [last] = await desk.commands.readHistory(boss, table, record);
    const one = await sets.create(boss, { revert: { changes: [{ table, seq: last?.seq ?? 0 }] } });
    expect((await sets.preview(boss, one.id, {})).items).toMatchObject([
      { before: { title: "two" }, after: { title: "one" } },
    ]);
    const span = await sets.create(boss, { revert: { by: "ann", from, record, table } });
    expect((await sets.preview(boss, span.id, {})).items).toMatchObject([
      { before: { title: "two" }, after: { title: "first" } },
    ]);
  });

  it("G5 shows others only what was applied, within their scopes, and no draft", async () => {
    const red = await desk.createIncident("Red");
    const blue = await desk.createIncident("Blue");
    const set = await draft([
      rename(red, "public"),
      rename(blue, "canary of blue"),
      { op: "update", table, record: red, set: { notes: "canary" }, base: { notes: "secret" } },
    ]);
    const noNotes = reader({ ...everything, read: { filter: groupRed, hide: ["notes"] } });
    expect(await refusalOf(sets.one(noNotes, set.id))).toMatchObject({ code: "not_found" });
    await sets.apply(boss, set.id, {});
    const info = await sets.one(noNotes, set.id);
    expect(info).toMatchObject({ counts: { update: 1 }, progress: { total: 1, applied: 1 } });
    const preview = await sets.preview(noNotes, set.id, {});
    expect(preview).toMatchObject({
      total: 1,
      items: [{ record: red, after: { title: "public" } }],
    });
    const listed = await sets.list(noNotes, {});
    expect(JSON.stringify([info, preview, listed])).not.toMatch(/canary|secret|blue/i);
    const noHistory = reader({ ...everything, read: true, history: false });
    expect(await refusalOf(sets.one(noHistory, set.id))).toMatchObject({ code: "not_found" });
    await desk.overwrite(blue, { group: "Red" });
    const entered = await sets.preview(noNotes, set.id, {});
    expect(JSON.stringify(entered)).not.toMatch(/canary/);
    await desk.overwrite(blue, { group: "Blue" });
    const ofBlueOnly = await draft([rename(blue, "more", "canary of blue")]);
    await sets.apply(boss, ofBlueOnly.id, {});
    expect(await refusalOf(sets.one(noNotes, ofBlueOnly.id))).toMatchObject({ code: "not_found" });
    for (const call of [
      () => sets.apply(noNotes, set.id, {}),
      () => sets.cancel(noNotes, set.id),
      () => sets.change(noNotes, set.id, { title: "theirs" }),
      () => sets.remove(noNotes, set.id),
    ]) {
      expect(await refusalOf(call())).toMatchObject({ code: "forbidden" });
    }
    const back = await sets.revert(noNotes, set.id);
    expect(back.counts).toEqual({ create: 0, update: 1, delete: 0 });
    const fewer = { ...noNotes, subject: { ...noNotes.subject, attributes: { group: "Blue" } } };
    expect(await refusalOf(sets.one(fewer, back.id))).toMatchObject({ code: "not_found" });
  });

  it("G5 shows its author nothing of a record that went out of reach", async () => {
    const record = await desk.createIncident("Red");
    const set = await sets.create(rowsOfRed, { ops: [rename(record, "mine")] });
    await desk.overwrite(record, { title: "canary", group: "Blue" });
    const preview = await sets.preview(rowsOfRed, set.id, {});
    expect(preview.items).toMatchObject([
      { before: null, after: null, errors: [{ code: "not_found" }] },
    ]);
    const answer = await sets.apply(rowsOfRed, set.id, { atomic: false });
    expect(answer).toMatchObject({ applied: 0, refused: [{ error: { code: "not_found" } }] });
    expect(JSON.stringify([preview, answer])).not.toContain("canary");
    expect((await sets.one(rowsOfRed, set.id)).progress.total).toBe(0);
  });

  it("G6 a draft can be changed, given up and removed; afterwards it can't", async () => {
    const record = await desk.createIncident();
    const set = await draft([]);
    await sets.change(boss, set.id, { title: "Better", add: [rename(record, "added")] });
    expect(await sets.one(boss, set.id)).toMatchObject({ title: "Better", counts: { update: 1 } });
    const beyond = { replace: [{ index: 1, op: rename(record, "x") }] };
    expect(await refusalOf(sets.change(boss, set.id, beyond))).toMatchObject({ at: "replace" });
    await sets.apply(boss, set.id, {});
    for (const call of [() => sets.change(boss, set.id, {}), () => sets.cancel(boss, set.id)]) {
      expect(await refusalOf(call())).toMatchObject({ code: "conflict", state: "applied" });
    }
    expect(await refusalOf(sets.remove(boss, set.id))).toMatchObject({ code: "conflict" });
    const other = await draft([]);
    expect(await sets.cancel(boss, other.id)).toMatchObject({ state: "cancelled" });
    await sets.remove(boss, other.id);
    expect(await refusalOf(sets.one(boss, other.id))).toMatchObject({ code: "not_found" });
    const tooMany = node({ CHANGE_SET_MAX_OPS: 1 });
    const ops = [rename(record, "a"), rename(record, "b")];
    expect(await refusalOf(tooMany.create(boss, { ops }))).toMatchObject({ code: "too_large" });
  });
});

const groupRed = { field: "group", op: "eq", value: "$me.group" } as const;
