import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";
import { Watcher } from "../harness/watcher.ts";

const worker = { create: true, update: true, delete: true, transitions: true };
const grants = { incidents: { read: { hide: ["notes"] }, ...worker } };

let installation: TestInstallation;
beforeAll(async () => {
  installation = await TestInstallation.openInProcess();
});
afterAll(() => installation[Symbol.asyncDispose]());

describe("M19 undo of a delete restores a record completely", () => {
  async function deleteAndUndo(user: TestUser, record: string) {
    const before = await installation.ownerUser.record("incidents", record);
    const screen = await Watcher.open(user);
    const { edits, undo } = screen.core;
    expect((await edits.delete("incidents", record).outcome).kind).toBe("confirmed");
    expect(await undo.undo()).toMatchObject({ done: 1, skipped: [] });
    const after = await installation.ownerUser.record("incidents", record);
    expect(after.values).toEqual(before.values);
    await screen[Symbol.asyncDispose]();
  }

  it("in its former state, also for a user who can't create it there", async () => {
    await installation.program.query("update incidents set state = 'Active' where id = 'seed-1'");
    await deleteAndUndo(
      await addUser(installation.server.url, installation.ownerUser, "Edith"),
      "seed-1",
    );
  });

  it("with the fields that are hidden from the user who undoes", async () => {
    const call = { name: "Without notes", grants };
    const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", call);
    await installation.program.query(
      "update incidents set notes = 'between us' where id = 'seed-2'",
    );
    await deleteAndUndo(
      await addUser(installation.server.url, installation.ownerUser, "Hugo", id),
      "seed-2",
    );
  });
});

describe("W16 undo of a transition", () => {
  let screen: Watcher;
  beforeAll(async () => {
    screen = await Watcher.open(
      await addUser(installation.server.url, installation.ownerUser, "Tess"),
    );
  });
  afterAll(() => screen[Symbol.asyncDispose]());

  async function incident(): Promise<string> {
    const { id } = await installation.ownerUser.call<{ id: string }>(
      "POST",
      "/tables/incidents/records",
      {
        values: { title: "Printer" },
      },
    );
    return id;
  }
  const valuesOf = async (id: string) =>
    (await installation.ownerUser.record("incidents", id)).values;

  it("runs the workflow's transition back, with the values that were filled", async () => {
    const { edits, undo } = screen.core;
    const record = await incident();
    const step = { set: { notes: "fixed" }, base: { notes: null } };
    const started = edits.transition("incidents", record, { transition: "activate", from: "New" });
    expect((await started.outcome).kind).toBe("confirmed");
    const resolveCall = { transition: "resolve", from: "Active", ...step };
    expect((await edits.transition("incidents", record, resolveCall).outcome).kind).toBe(
      "confirmed",
    );
    expect(await valuesOf(record)).toMatchObject({ state: "Resolved", notes: "fixed" });
    expect(await undo.undo()).toMatchObject({ done: 1, skipped: [] });
    const back = { state: "Active", notes: null, resolved_at: null };
    expect(await valuesOf(record)).toMatchObject(back);
    const path = `/tables/incidents/records/${record}/history?limit=1`;
    const { items } = await installation.ownerUser.call<{ items: object[] }>("GET", path);
    expect(items).toMatchObject([{ transition: "reopen", reason: "Undone." }]);
    expect(await undo.redo()).toMatchObject({ done: 1, skipped: [] });
    expect(await valuesOf(record)).toMatchObject({ state: "Resolved", notes: "fixed" });
  });

  it("says so if there is none, and changes nothing", async () => {
    const { edits, undo } = screen.core;
    const record = await incident();
    const started = edits.transition("incidents", record, { transition: "activate", from: "New" });
    expect((await started.outcome).kind).toBe("confirmed");
    const code = "transition_not_allowed";
    expect(await undo.undo()).toMatchObject({ done: 0, skipped: [{ record, code }] });
    expect(await valuesOf(record)).toMatchObject({ state: "Active" });
  });

  it("is refused with its reason if somebody changed the state meanwhile", async () => {
    const { edits, undo } = screen.core;
    const record = await incident();
    const wait = { transition: "await_problem", from: "New" };
    await edits.transition("incidents", record, wait).outcome;
    const active = { transition: "activate", from: "Awaiting Problem" };
    await edits.transition("incidents", record, active).outcome;
    const at = `/tables/incidents/records/${record}/transitions/await_vendor`;
    await installation.ownerUser.call("POST", at, { from: "Active" });
    const report = await undo.undo();
    expect(report).toMatchObject({ done: 0, skipped: [{ record, code: "conflict" }] });
    expect(await valuesOf(record)).toMatchObject({ state: "Awaiting Vendor" });
  });
});
