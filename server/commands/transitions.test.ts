import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Values } from "../../shared/model/model.ts";
import type { Grant, Role } from "../../shared/policy/role.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { guardedModel } from "../model/testing/guarded-model.ts";
import { insertUser } from "../store/users/users.ts";
import type { Op } from "./op.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

const ann = testIdentity("ann");
const root = testIdentity("root", "owner");
const table = "incidents";

function someoneWith(grant: Grant) {
  const role: Role = { id: "made", name: "Made", rights: [], grants: { incidents: grant } };
  return testIdentity("made", role);
}

/** A result as its code and the detail of its refusal; "ok" on success. */
const summary = (result: OpResult | undefined) =>
  result === undefined || result.ok ? { code: "ok" } : result.error;

describe.each(databases)("transitions on $name", (kind) => {
  let environment: CommandEnvironment;
  let next = 0;
  let record = "";
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind, guardedModel);
    const user = { ...ann.user, role: "editor", attributes: {}, status: "active" } as const;
    await insertUser(environment.database.kysely, { ...user, passwordHash: null });
  });
  beforeEach(async () => {
    record = `t${next++}`;
    await environment.run(root, { op: "create", table, record, values: { title: "first" } });
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  const valuesOf = async () => (await environment.commands.readRecord(root, table, record)).values;
  const transitionOp = (
    transition: string,
    from: string,
    more: Partial<Op & { op: "transition" }> = {},
  ) => ({ op: "transition", table, record, transition, from, ...more }) as const;
  const edit = (set: Values, base: Values) => ({ op: "update", table, record, set, base }) as const;
  const run = async (caller: typeof ann, op: Op) => summary((await environment.run(caller, op))[0]);

  it("W1 changes the state and stores transition and reason in the history", async () => {
    const { code } = await run(ann, transitionOp("activate", "New", { reason: " urgent " }));
    expect(code).toBe("ok");
    expect(await valuesOf()).toMatchObject({ state: "Active" });
    const [last] = await environment.commands.readHistory(ann, table, record);
    expect(last).toMatchObject({ transition: "activate", reason: "urgent", by: { id: "ann" } });
  });

  it("W2 refuses a plain write to the state and names the possible transitions", async () => {
    const possible = ["activate", "await_user_info", "await_problem", "resolve", "take", "finish"];
    const refusal = await run(ann, edit({ state: "Active" }, { state: "New" }));
    expect(refusal).toMatchObject({ code: "transition_required", possible });
    expect(await run(ann, edit({ state: "New" }, { state: "Active" }))).toEqual({ code: "ok" });
  });

  it("W3 answers the second of two users who change one state with the result of the first", async () => {
    await run(root, transitionOp("resolve", "New"));
    const refusal = await run(ann, transitionOp("activate", "New"));
    const state = { base: "New", mine: "Active", theirs: "Resolved", by: { id: "root" } };
    expect(refusal).toMatchObject({ code: "conflict", fields: { state } });
  });

  it.each([
    ["one that there is not", "fly", "New", "unknown"],
    ["one from another state", "close", "New", "state"],
    ["one whose guard the record does not pass", "escalate", "New", "guard"],
  ])("W4 refuses %s, and says why", async (_, transition, from, why) => {
    expect(await run(ann, transitionOp(transition, from))).toMatchObject({
      code: "transition_not_allowed",
      why,
      possible: expect.arrayContaining(["activate"]),
    });
  });

  it.each<[string, Grant, string]>([
    ["no transition at all", { read: true, update: true }, "activate"],
    ["only others", { read: true, transitions: ["resolve"] }, "activate"],
    ["all, but not this role", { read: true, transitions: true }, "archive"],
  ])("W5 refuses whoever was granted %s", async (_, grant, transition) => {
    const refusal = await run(someoneWith(grant), transitionOp(transition, "New"));
    expect(refusal).toMatchObject({ code: "forbidden", right: "transition", transition });
  });

  it("W6 lets a granted transition run without the right to edit", async () => {
    const author = someoneWith({ read: true, transitions: ["activate", "finish"] });
    expect(
      await run(
        author,
        transitionOp("activate", "New", { set: { notes: "x" }, base: { notes: null } }),
      ),
    ).toMatchObject({
      code: "forbidden",
      right: "update",
    });
    expect(await run(author, transitionOp("activate", "New"))).toEqual({ code: "ok" });
    const set = { resolution_code: "Fixed", location: "Oslo" };
    const base = { resolution_code: null, location: null };
    expect(
      await run(author, transitionOp("finish", "Active", { set, base, reason: "done" })),
    ).toEqual({
      code: "ok",
    });
    expect(await valuesOf()).toMatchObject({ ...set, state: "Resolved" });
  });

  it("W7 names everything that is missing at once, and changes nothing", async () => {
    const refusal = await run(ann, transitionOp("finish", "New", { reason: "  " }));
    const missing = ["resolution_code", "location", "reason"];
    expect(refusal).toMatchObject({ code: "transition_incomplete", missing });
    expect(await valuesOf()).toMatchObject({ state: "New" });
    await run(ann, edit({ location: "Oslo" }, { location: null }));
    const rest = await run(ann, transitionOp("finish", "New", { reason: "because" }));
    expect(rest).toMatchObject({ code: "transition_incomplete", missing: ["resolution_code"] });
  });

  it("W8 sets constants, its author and one instant of the commit", async () => {
    const before = new Date(Date.now() - 1).toISOString();
    const other = { op: "create", table, record: `${record}-b`, values: {} } as const;
    await environment.run(root, other);
    const both = [
      transitionOp("take", "New"),
      { ...transitionOp("take", "New"), record: `${record}-b` },
    ];
    expect((await environment.run(ann, ...both)).map(summary)).toEqual([
      { code: "ok" },
      { code: "ok" },
    ]);
    const values = await valuesOf();
    expect(values).toMatchObject({ state: "Active", assignee: "ann", notes: "taken" });
    expect(Date.parse(String(values.opened_at))).toBeGreaterThanOrEqual(Date.parse(before));
    const second = await environment.commands.readRecord(root, table, `${record}-b`);
    expect(second.values.opened_at).toBe(values.opened_at);
  });

  it("W9 evaluates `$me` in a guard, and compares filled fields by their base", async () => {
    await run(
      root,
      edit({ assignee: "ann", location: "Rome" }, { assignee: null, location: null }),
    );
    expect(await run(root, transitionOp("take", "New"))).toMatchObject({ why: "guard" });
    const set = { location: "Oslo", resolution_code: "Fixed" };
    const finish = { set, reason: "done" };
    expect(await run(ann, transitionOp("finish", "New", finish))).toMatchObject({
      code: "base_required",
    });
    const stale = { ...finish, base: { location: null, resolution_code: null } };
    expect(await run(ann, transitionOp("finish", "New", stale))).toMatchObject({
      code: "conflict",
      fields: { location: { mine: "Oslo", theirs: "Rome" } },
    });
    expect(await run(ann, transitionOp("take", "New"))).toEqual({ code: "ok" });
  });

  it("W10 locks fields by the current state, except those that a transition requires or sets", async () => {
    await run(ann, transitionOp("activate", "New"));
    const write = { impact: "1 - High", notes: "n" };
    const refusal = await run(ann, edit(write, { impact: null, notes: null }));
    expect(refusal).toMatchObject({ code: "field_locked", fields: ["impact"], state: "Active" });
    expect(await run(ann, edit({ impact: null }, { impact: null }))).toEqual({ code: "ok" });
    const base = { resolution_code: null, location: null, impact: null };
    const set = { resolution_code: "Fixed", location: "Oslo" };
    const smuggled = transitionOp("finish", "Active", {
      set: { ...set, impact: "1 - High" },
      base,
      reason: "r",
    });
    expect(await run(ann, smuggled)).toMatchObject({ code: "field_locked", fields: ["impact"] });
    expect(await run(ann, transitionOp("finish", "Active", { set, base, reason: "r" }))).toEqual({
      code: "ok",
    });
  });

  it("W11 locks every field of a final state", async () => {
    await environment.run(ann, transitionOp("resolve", "New"), transitionOp("close", "Resolved"));
    const refusal = await run(root, edit({ notes: "late" }, { notes: null }));
    expect(refusal).toMatchObject({ code: "field_locked", fields: ["notes"], state: "Closed" });
    const out = await run(root, edit({ state: "New" }, { state: "Closed" }));
    expect(out).toMatchObject({ code: "transition_required", possible: [] });
  });

  it("W12 begins records in an initial state; history in others needs a right of its own", async () => {
    const make = (id: string, state: string) =>
      ({ op: "create", table, record: `${record}-${id}`, values: { state } }) as const;
    expect(await run(ann, make("a", "New"))).toEqual({ code: "ok" });
    expect(await run(ann, make("b", "Closed"))).toMatchObject({
      code: "forbidden",
      right: "createInAnyState",
      initial: ["New"],
    });
    expect(await run(root, make("b", "Closed"))).toEqual({ code: "ok" });
  });

  it("W13 restores a deleted record in the state it had, and in no other", async () => {
    await run(ann, transitionOp("resolve", "New"));
    const { values } = await environment.commands.readRecord(ann, table, record);
    const remove = { op: "delete", table, record, overwrite: true } as const;
    await run(ann, remove);
    expect(await run(ann, { op: "restore", table, record })).toEqual({ code: "ok" });
    await run(ann, remove);
    const undo = { op: "create", table, record, values } as const;
    const forged = { ...undo, values: { ...values, state: "Closed" } };
    expect(await run(ann, forged)).toMatchObject({ code: "forbidden" });
    expect(await run(ann, undo)).toEqual({ code: "ok" });
    expect(await valuesOf()).toEqual(values);
  });

  it("W13 creates a deleted record again in its state only with all values that its author could see", async () => {
    await run(ann, edit({ notes: "seen" }, { notes: null }));
    await run(ann, transitionOp("resolve", "New"));
    const { values } = await environment.commands.readRecord(ann, table, record);
    const remove = { op: "delete", table, record, overwrite: true } as const;
    const create = (given: Values) => ({ op: "create", table, record, values: given }) as const;
    const { notes: _, ...withoutNotes } = values;
    await run(ann, remove);
    for (const given of [
      { state: "Resolved" },
      withoutNotes,
      { ...values, notes: null },
      { ...values, location: "added" },
    ]) {
      const refusal = { code: "forbidden", right: "createInAnyState" };
      expect(await run(ann, create(given))).toMatchObject(refusal);
    }
    const filled = Object.entries(values).filter(([, value]) => value !== null);
    expect(await run(ann, create(Object.fromEntries(filled)))).toEqual({ code: "ok" });
    expect(await valuesOf()).toEqual(values);
    await run(ann, remove);
    const all = { create: true, update: true, delete: true, transitions: true };
    const unaware = someoneWith({ ...all, read: { hide: ["notes"] } });
    expect(await run(unaware, create(withoutNotes))).toEqual({ code: "ok" });
  });

  it("W14 does not name fields that its author may not see", async () => {
    const read = { hide: ["priority", "resolution_code"] };
    const unbased = someoneWith({ read, update: true, transitions: true });
    const guarded = await run(unbased, transitionOp("escalate", "New"));
    expect(guarded).toMatchObject({ why: "guard" });
    expect(JSON.stringify(guarded)).not.toMatch(/priority/i);
    const incomplete = await run(unbased, transitionOp("finish", "New", { reason: "r" }));
    expect(incomplete).toMatchObject({ code: "transition_incomplete", missing: ["location"] });
    expect(JSON.stringify(incomplete)).not.toMatch(/resolution/i);
    const stateless = someoneWith({ read: { hide: ["state"] }, update: true, transitions: true });
    expect(await run(stateless, transitionOp("activate", "New"))).toMatchObject({ why: "none" });
  });

  it("W15 has no transitions if the table has no workflow", async () => {
    const op = { ...transitionOp("activate", "New"), table: "groups", record: "Network" };
    await environment.run(root, { op: "create", table: "groups", values: { name: "Network" } });
    expect(await run(ann, op)).toMatchObject({ code: "transition_not_allowed", possible: [] });
  });
});
