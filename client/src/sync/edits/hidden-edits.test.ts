import { describe, expect, it } from "vitest";
import type { Model } from "../../../../shared/model/model.ts";
import { unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import { fakeModel } from "../testing/fake-server.ts";
import { fakeSystem, IDLE_MS } from "../testing/fake-system.ts";

const withoutFields: Model = {
  ...fakeModel,
  tables: fakeModel.tables.map((table) => ({
    ...table,
    fields: table.fields.filter(({ name }) => name !== "secret"),
  })),
};
const emptyModel: Model = { version: 2, tables: [] };

/** A transition of the first incident that writes a value into a field that may be hidden. */
const step = {
  transition: "close",
  from: "Active",
  set: { title: "Mine", secret: "new" },
  base: { title: "Title 1", secret: "s" },
};

async function working() {
  const system = fakeSystem();
  system.seed(5);
  const client = system.client("ann", createMemoryEditStorage());
  client.core.openTable("incidents");
  client.core.start();
  await system.clock.advance(1_000);
  const edit = (id: string, set: Record<string, string>, base: Record<string, string>) =>
    client.core.edits.edit("incidents", { record: id, set, base });
  const cut = () => {
    client.line.isUnreachable = true;
    client.line.cut();
  };
  const storedEdits = async () => JSON.stringify(await client.storage.load("ann"));
  /** Hides the field `secret`, which the stored edits then no longer hold. */
  const hideSecret = async () => {
    await system.clock.advance(100);
    expect(await storedEdits()).toContain("secret");
    client.setVisibleModel(withoutFields);
    await system.clock.advance(100);
    expect(await storedEdits()).not.toContain("secret");
  };
  return { ...system, client, edit, cut, storedEdits, hideSecret };
}

describe("C34 what I may no longer see leaves this browser", () => {
  it("a hidden field leaves the edits that wait; the other fields of them are delivered", async () => {
    const { client, clock, edit, cut, storedEdits, hideSecret, server } = await working();
    cut();
    edit("i1", { title: "Mine", secret: "new" }, { title: "Title 1", secret: "s" });
    edit("i2", { secret: "new" }, { secret: "s" });
    await hideSecret();
    expect(await storedEdits()).toContain("Mine");
    client.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect(server.incidents.records.get("i1")?.values).toMatchObject({
      title: "Mine",
      secret: "s",
    });
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 0 });
  });

  it("a hidden field leaves transitions that wait, and one without a value that it replaced is not undone", async () => {
    const { client, clock, cut, storedEdits, hideSecret } = await working();
    client.line.faults = { ...client.line.faults, maxDelayMs: 50 };
    client.core.edits.transition("incidents", "i1", step);
    await clock.advance(1);
    expect(client.store.get(client.core.undo.stateAtom).canUndo).toBe(true);
    client.setVisibleModel(withoutFields);
    expect(client.store.get(client.core.undo.stateAtom).canUndo).toBe(false);
    client.setVisibleModel(fakeModel);
    cut();
    client.core.edits.transition("incidents", "i3", step);
    await hideSecret();
    expect(await storedEdits()).toContain("Mine");
  });

  it("a refused transition that loses a hidden field keeps its refusal", async () => {
    const { client, clock, server, storedEdits, hideSecret } = await working();
    server.failure = (name) => (name === "mutate" ? { code: "forbidden", message: "No." } : null);
    client.core.edits.transition("incidents", "i1", step);
    await clock.advance(1_000);
    expect(client.counts().rejected).toBe(1);
    await hideSecret();
    expect(await storedEdits()).toContain('"code":"forbidden"');
  });

  it("a value of a field that is removed while it is sent becomes an unsaved text", async () => {
    const { client, clock, edit, server, storedEdits } = await working();
    server.failure = (name) =>
      name === "mutate" ? { code: "invalid_request", message: "Unknown field." } : null;
    client.line.faults = { ...client.line.faults, maxDelayMs: 50 };
    edit("i1", { secret: "typed" }, { secret: "s" });
    await clock.advance(1);
    expect(client.line.calls.at(-1)?.name).toBe("mutate");
    client.setVisibleModel(withoutFields);
    await clock.advance(1_000);
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 0 });
    expect(await storedEdits()).toBe("[]");
    expect(client.store.get(unsavedTextsAtom)).toMatchObject([
      { record: "i1", field: "secret", text: "typed" },
    ]);
  });

  it("a value that an undo would have written becomes no unsaved text", async () => {
    const { client, clock, edit, cut, hideSecret } = await working();
    edit("i1", { secret: "typed" }, { secret: "s" });
    await clock.advance(1_000);
    cut();
    void client.core.undo.undo();
    await hideSecret();
    expect(client.store.get(unsavedTextsAtom)).toEqual([]);
  });

  it("a hidden field leaves conflicts and what can be undone", async () => {
    const { client, clock, edit, storedEdits, change } = await working();
    change("i3", { secret: "their word", title: "Theirs" });
    edit("i3", { title: "Mine", secret: "mine" }, { title: "Title 3", secret: "s" });
    await clock.advance(1_000);
    expect(client.counts().conflicts).toBe(1);
    expect(await storedEdits()).toContain("their word");
    client.setVisibleModel(withoutFields);
    await clock.advance(100);
    expect(await storedEdits()).toContain("Theirs");
    expect(await storedEdits()).not.toMatch(/secret|their word/);
    edit("i4", { title: "Once" }, { title: "Title 4" });
    await clock.advance(1_000);
    client.setVisibleModel(emptyModel);
    expect(client.store.get(client.core.undo.stateAtom).canUndo).toBe(false);
  });

  it("a hidden field leaves the group that a draft was begun in", async () => {
    const { client, clock, storedEdits } = await working();
    const group = { field: "secret", key: "their word" };
    const draft = client.core.edits.draft("incidents", { title: "Mine" }, group);
    await clock.advance(100);
    expect(await storedEdits()).toContain("their word");
    client.setVisibleModel(withoutFields);
    await clock.advance(100);
    expect(await storedEdits()).toContain("Mine");
    expect(await storedEdits()).not.toMatch(/secret|their word/);
    expect(client.core.edits.begunIn("incidents", draft)).toBeUndefined();
  });

  it("deletes edits of a removed table, also after a reload", async () => {
    const { client, clock, edit, cut, reload, storedEdits } = await working();
    cut();
    edit("i1", { title: "Mine" }, { title: "Title 1" });
    await clock.advance(100);
    const again = await reload(client);
    again.setVisibleModel(emptyModel);
    again.core.start();
    await clock.advance(100);
    expect(await storedEdits()).toBe("[]");
    expect(again.counts().waiting).toBe(0);
  });
});
