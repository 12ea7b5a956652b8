import { describe, expect, it, vi } from "vitest";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { IDLE_MS } from "../testing/fake-system.ts";
import { edit, opened } from "../testing/undo-client.ts";
import { report } from "./undo-report.ts";

describe("undo", () => {
  it("C24 writes back what I saw, and redo what I wrote", async () => {
    const { client, clock, title, play: applyUndo } = await opened();
    edit(client, "i1", "Mine");
    await clock.advance(100);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(title("i1")).toBe("Title 1");
    expect(await applyUndo("redo")).toMatchObject({ done: 1, skipped: [] });
    expect(title("i1")).toBe("Mine");
    expect(await applyUndo("redo")).toBeNull();
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(title("i1")).toBe("Title 1");
  });

  it.each(["before", "after"])(
    "C24 undoes and redoes a value that the database has changed while storing it, heard %s the answer",
    async (when) => {
      const { client, clock, title, play: applyUndo, server } = await opened();
      server.incidents.rewrite = (set) => ({ ...set, title: String(set.title).toUpperCase() });
      const publish = vi.spyOn(client.line, "publish");
      if (when === "after") publish.mockImplementation(() => {});
      edit(client, "i1", "Mine");
      await clock.advance(100);
      publish.mockRestore();
      client.line.publish();
      await clock.advance(100);
      expect(title("i1")).toBe("MINE");
      expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
      expect(title("i1")).toBe("TITLE 1");
      expect(await applyUndo("redo")).toMatchObject({ done: 1, skipped: [] });
      expect(title("i1")).toBe("MINE");
    },
  );

  it("C24 takes back a record with the link for which it was created", async () => {
    const { client, clock, title, play: applyUndo, server } = await opened();
    edit(client, "i2", "Before");
    const { record } = client.core.edits.create("incidents", { title: "Linked" });
    client.core.undo.joinLink(record);
    edit(client, "i1", record);
    await clock.advance(100);
    const isThere = () => server.incidents.records.has(record);
    expect([title("i1"), isThere()]).toEqual([record, true]);
    expect(await applyUndo("undo")).toMatchObject({ done: 2, skipped: [] });
    expect([title("i1"), title("i2"), isThere()]).toEqual(["Title 1", "Before", false]);
    expect(await applyUndo("redo")).toMatchObject({ done: 2, skipped: [] });
    expect([title("i1"), isThere()]).toEqual([record, true]);
  });

  it("C24 moves back what I moved in a view, among my edits and after a reload", async () => {
    const { client, clock, title, reload } = await opened();
    const moves = [{ records: ["i3", "i4"], after: "i1" }];
    const back = [{ records: ["i3", "i4"], after: "i2" }];
    edit(client, "i1", "Mine");
    client.core.undo.moved("batch", { table: "incidents", view: "v", moves, back });
    await clock.advance(300);
    const again = await reload(client);
    again.core.openTable("incidents");
    again.core.start();
    await clock.advance(300);
    const report = await again.core.undo.undo({ table: "incidents" });
    expect(report).toMatchObject({ done: 2, changes: [{ kind: "move", record: "i3" }, {}] });
    expect(again.moving.moves).toEqual([{ view: "v", moves: back }]);
    await again.core.undo.redo();
    expect(again.moving.moves[1]).toEqual({ view: "v", moves });
    await again.core.undo.undo();
    again.core.undo.undo();
    await clock.advance(300);
    expect(title("i1")).toBe("Title 1");
    expect(again.moving.moves).toHaveLength(3);
  });

  it("C24 keeps a move that can't be taken back now, unless its view or a record is gone", async () => {
    const { client } = await opened();
    const { moving, core } = client;
    const moves = [{ records: ["i3"], after: null }];
    core.undo.moved("batch", { table: "incidents", view: "v", moves, back: moves });
    moving.refusal = new Refusal("unavailable");
    await expect(core.undo.undo()).rejects.toMatchObject({ code: "unavailable" });
    expect(client.store.get(core.undo.stateAtom)).toEqual({ canUndo: true, canRedo: false });
    moving.refusal = new Refusal("not_found");
    await expect(core.undo.undo()).rejects.toMatchObject({ code: "not_found" });
    expect(client.store.get(core.undo.stateAtom)).toEqual({ canUndo: false, canRedo: false });
  });

  it("C24 goes backwards through what I did, and a new edit ends the redoing", async () => {
    const { client, clock, title, play: applyUndo } = await opened();
    edit(client, "i1", "One");
    edit(client, "i2", "Two");
    await clock.advance(100);
    await applyUndo("undo");
    expect([title("i1"), title("i2")]).toEqual(["One", "Title 2"]);
    edit(client, "i3", "Three");
    await clock.advance(100);
    expect(await applyUndo("redo")).toBeNull();
    await applyUndo("undo");
    const moves = [{ records: ["i3"], after: null }];
    client.core.undo.moved("batch", { table: "incidents", view: "v", moves, back: moves });
    expect(await applyUndo("redo")).toBeNull();
  });

  it("C24 goes back two hundred steps, and of large ones as many as are stored", async () => {
    const { client } = await opened();
    const { undo } = client.core;
    const move = (count: number) => {
      const moves = [{ records: Array.from({ length: count }, (_, at) => `m${at}`), after: null }];
      undo.moved("batch", { table: "incidents", view: "v", moves, back: moves });
    };
    const left = async () => {
      let steps = 0;
      for (; undo.undo(); steps += 1) await Promise.resolve();
      return steps;
    };
    for (let steps = 0; steps < 210; steps += 1) move(1);
    expect(await left()).toBe(200);
    for (let steps = 0; steps < 4; steps += 1) move(10_000);
    expect(await left()).toBe(2);
  });

  it("C24 names the other user where both have changed since what is left alone", () => {
    const op = { op: "update", table: "incidents", record: "i1", set: {}, base: {} } as const;
    const by = (id: string) => ({ by: { kind: "user", id, name: id } });
    const detail = { fields: { title: by("ann"), state: by("ben") } };
    const refused = {
      kind: "refused",
      record: "i1",
      code: "conflict",
      message: "",
      detail,
    } as const;
    expect(report([op], [refused], "ann").skipped).toMatchObject([{ by: "ben" }]);
    expect(report([op], [refused], "ben").skipped).toMatchObject([{ by: "ann" }]);
  });

  it("C24 writes back what the server had, not a value of mine that it refused", async () => {
    const { client, clock, play: applyUndo, change, server } = await opened();
    const state = () => server.incidents.records.get("i2")?.values.state;
    client.line.isUnreachable = true;
    client.line.cut();
    change("i2", { title: "Theirs" });
    client.core.edits.edit("incidents", {
      record: "i2",
      set: { title: "Mine", state: "Active" },
      base: { title: "Title 2", state: "New" },
    });
    const later = { record: "i2", set: { state: "Closed" }, base: { state: "Active" } };
    client.core.edits.edit("incidents", later);
    client.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect(state()).toBe("Closed");
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(state()).toBe("New");
  });

  it("C24 leaves alone what somebody changed since, and names them", async () => {
    const { client, clock, title, play: applyUndo, change } = await opened();
    const submitted = client.core.edits.editMany(
      "incidents",
      ["i1", "i2"].map((record) => ({
        record,
        set: { title: "Mine" },
        base: { title: `Title ${record.slice(1)}` },
      })),
    );
    await clock.advance(100);
    await submitted.outcomes;
    change("i1", { title: "Theirs" });
    await clock.advance(100);
    expect(await applyUndo("undo")).toMatchObject({
      done: 1,
      skipped: [{ record: "i1", fields: ["title"], code: "conflict", by: "ann" }],
    });
    expect([title("i1"), title("i2")]).toEqual(["Theirs", "Title 2"]);
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 0 });
  });

  it("C24 writes back the other fields of a record of which somebody changed one", async () => {
    const { client, clock, server, play: applyUndo, change } = await opened();
    const set = { title: "Mine", state: "Mine" };
    const base = { title: "Title 1", state: "Active" };
    client.core.edits.edit("incidents", { record: "i1", set, base });
    await clock.advance(100);
    change("i1", { title: "Theirs" });
    await clock.advance(100);
    const values = () => server.incidents.records.get("i1")?.values;
    expect(await applyUndo("undo")).toMatchObject({ skipped: [{ fields: ["title"] }] });
    expect(values()).toMatchObject({ title: "Theirs", state: "Active" });
    await applyUndo("redo");
    expect(values()).toMatchObject({ title: "Theirs", state: "Mine" });
  });

  it("C24 passes over what was refused", async () => {
    const { client, clock, play: applyUndo } = await opened();
    edit(client, "i1", "invalid");
    await clock.advance(100);
    expect(await applyUndo("undo")).toBeNull();
    expect(client.store.get(client.core.undo.stateAtom)).toEqual({
      canUndo: false,
      canRedo: false,
    });
  });

  it("C24 of an edit that is still on its way goes after it", async () => {
    const { client, clock, title } = await opened();
    client.line.isUnreachable = true;
    client.line.cut();
    edit(client, "i1", "Mine");
    const report = client.core.undo.undo();
    client.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect(await report).toMatchObject({ done: 1, skipped: [] });
    expect(title("i1")).toBe("Title 1");
  });
});

describe("undo of one table or one step", () => {
  it("C24 takes back the last step of the table that is asked for, and says what it was", async () => {
    const { client, clock, title } = await opened();
    const batch = client.core.edits.editMany("incidents", [
      { record: "i1", set: { title: "One" }, base: { title: "Title 1" } },
    ]).batch;
    edit(client, "i2", "Two");
    await clock.advance(100);
    expect(client.core.undo.undo({ table: "groups" })).toBeNull();
    const first = client.core.undo.undo({ batch });
    await clock.advance(100);
    expect(await first).toEqual({
      done: 1,
      changes: [{ kind: "update", table: "incidents", record: "i1", fields: ["title"] }],
      skipped: [],
    });
    expect([title("i1"), title("i2")]).toEqual(["Title 1", "Two"]);
    void client.core.undo.undo({ table: "incidents" });
    await clock.advance(100);
    expect(title("i2")).toBe("Title 2");
  });

  it("C24 survives a reload: steps are undone and redone, each on the base of what I wrote", async () => {
    const { client, clock, title, reload, change } = await opened();
    edit(client, "i1", "One");
    edit(client, "i2", "Two");
    edit(client, "i3", "Three");
    await clock.advance(IDLE_MS);
    change("i2", { title: "Theirs" });
    const again = await reload(client);
    again.core.openTable("incidents").openRowList({ filter: null, sort: ["rank"], search: "" });
    expect(again.store.get(again.core.undo.tableAtom("incidents"))).toMatchObject({
      canUndo: true,
    });
    again.core.start();
    await clock.advance(IDLE_MS);
    const step = async (what: "undo" | "redo") => {
      const report = again.core.undo[what]();
      await clock.advance(200);
      return report;
    };
    expect(await step("undo")).toMatchObject({ done: 1, changes: [{ record: "i3" }] });
    expect(title("i3")).toBe("Title 3");
    expect(await step("undo")).toMatchObject({
      done: 0,
      skipped: [{ record: "i2", code: "conflict" }],
    });
    expect(title("i2")).toBe("Theirs");
    expect(await step("undo")).toMatchObject({ done: 1, changes: [{ record: "i1" }] });
    const third = await reload(again);
    third.core.openTable("incidents").openRowList({ filter: null, sort: ["rank"], search: "" });
    third.core.start();
    await clock.advance(IDLE_MS);
    expect(third.core.undo.redo()).not.toBeNull();
    await clock.advance(200);
    expect(title("i1")).toBe("One");
  });

  it("C24 reads nothing from stored steps that it can't read", async () => {
    const { client, clock, reload } = await opened();
    client.undo.write({ done: [{ batch: 1 }, null, { batch: "b", steps: [["k", 3]] }], undone: 7 });
    const again = await reload(client);
    await clock.advance(100);
    expect(again.core.undo.undo()).toBeNull();
  });
});
