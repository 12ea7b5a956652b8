import { describe, expect, it } from "vitest";
import { IDLE_MS } from "../testing/fake-system.ts";
import { edit, opened } from "../testing/undo-client.ts";

const bob = { kind: "user", id: "bob", name: "Bob" } as const;
const i3 = { table: "incidents", record: "i3" };

describe("undo of additions and deletions", () => {
  it("C24 takes a new record away and brings a deleted one back as it was", async () => {
    const { client, clock, server, play: applyUndo } = await opened();
    const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
    await clock.advance(100);
    await applyUndo("undo");
    expect(server.incidents.records.has(made.record)).toBe(false);
    await applyUndo("redo");
    expect(server.incidents.records.get(made.record)?.values.title).toBe("New");
    client.core.edits.delete("incidents", "i3");
    await clock.advance(100);
    expect(server.incidents.records.has("i3")).toBe(false);
    await applyUndo("undo");
    expect(server.incidents.records.get("i3")?.values).toMatchObject({ title: "Title 3", rank: 3 });
  });

  it("C24 lets go of the rows of new records that it takes away, as where they are deleted, so that an empty table is empty", async () => {
    const { client, clock, server, session, play: applyUndo } = await opened();
    const rowList = session.openRowList({
      filter: { field: "title", op: "startsWith", value: "Pasted" },
      sort: ["rank"],
      search: "",
    });
    await clock.advance(IDLE_MS);
    const values = Array.from({ length: 10 }, (_, index) => ({ title: `Pasted ${index}` }));
    client.core.edits.createMany("incidents", values);
    await clock.advance(100);
    // Others have their own place in the view by then, and are above the rows no more.
    rowList.realign();
    await clock.advance(IDLE_MS);
    expect(rowList.status.rowCount).toBe(10);
    await applyUndo("undo");
    await clock.advance(IDLE_MS);
    expect(
      [...server.incidents.records.values()].filter(({ values: one }) =>
        /Pasted/.test(String(one.title)),
      ),
    ).toEqual([]);
    expect(rowList.status).toMatchObject({ phase: "ready", rowCount: 0 });
    expect(rowList.created).toEqual([]);
  });

  it("C24 leaves a new record that somebody has changed since, also before my last edit of it", async () => {
    const { client, clock, server, change, play: applyUndo } = await opened();
    const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
    await clock.advance(100);
    change(made.record, { state: "Active" });
    await clock.advance(100);
    edit(client, made.record, "Newer", "New");
    await clock.advance(100);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(await applyUndo("undo")).toMatchObject({
      done: 0,
      skipped: [{ record: made.record, by: "psql", code: "record_changed" }],
    });
    expect(server.incidents.records.get(made.record)?.values).toMatchObject({
      title: "New",
      state: "Active",
    });
  });

  it("C24 leaves a new record that somebody has changed while its table was not followed", async () => {
    const { client, clock, server, session, change, play: applyUndo } = await opened();
    const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
    await clock.advance(100);
    session.close();
    await clock.advance(5_000);
    change(made.record, { state: "Active" });
    const again = client.core.openTable("incidents");
    again.openRowList({ filter: null, sort: ["rank"], search: "" });
    await clock.advance(IDLE_MS);
    expect(again.get(made.record)?.values.state).toBe("Active");
    edit(client, made.record, "Newer", "New");
    await clock.advance(100);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(await applyUndo("undo")).toMatchObject({ done: 0, skipped: [{ by: "psql" }] });
    expect(server.incidents.records.get(made.record)?.values).toMatchObject({ state: "Active" });
  });

  it("C24 leaves a new record that somebody has changed while my edit of it waited for the connection", async () => {
    for (const isReloaded of [true, false]) {
      const { client, clock, server, session, reload, change } = await opened();
      const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
      await clock.advance(IDLE_MS);
      client.line.isUnreachable = true;
      client.line.cut();
      edit(client, made.record, "Newer", "New");
      session.close();
      await clock.advance(IDLE_MS);
      change(made.record, { state: "Active" });
      client.line.isUnreachable = false;
      const page = isReloaded ? await reload(client) : client;
      // The table is followed, but no view shows the record yet.
      const again = isReloaded ? page.core.openTable("incidents") : null;
      if (again) page.core.start();
      await clock.advance(IDLE_MS);
      const values = () => server.incidents.records.get(made.record)?.values;
      expect(values()).toMatchObject({ title: "Newer", state: "Active" });
      const shown = again ?? page.core.openTable("incidents");
      shown.openRowList({ filter: null, sort: ["rank"], search: "" });
      await clock.advance(IDLE_MS);
      const reports = [page.core.undo.undo(), page.core.undo.undo()];
      await clock.advance(IDLE_MS);
      expect(await reports[0]).toMatchObject({ done: 1, skipped: [] });
      expect(await reports[1]).toMatchObject({ done: 0, skipped: [{ record: made.record }] });
      expect(values()).toMatchObject({ title: "New", state: "Active" });
    }
  });

  it("C24 leaves a new record that somebody has changed before or after a reload", async () => {
    for (const isBefore of [true, false]) {
      const { client, clock, server, reload, change } = await opened();
      const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
      await clock.advance(100);
      edit(client, made.record, "Newer", "New");
      await clock.advance(100);
      if (isBefore) change(made.record, { state: "Active" });
      await clock.advance(IDLE_MS);
      const again = await reload(client);
      const session = again.core.openTable("incidents");
      session.openRowList({ filter: null, sort: ["rank"], search: "" });
      again.core.start();
      await clock.advance(IDLE_MS);
      if (!isBefore) change(made.record, { state: "Active" });
      await clock.advance(100);
      expect(session.get(made.record)?.values.state).toBe("Active");
      const reports = [again.core.undo.undo(), again.core.undo.undo()];
      await clock.advance(IDLE_MS);
      expect(await reports[0]).toMatchObject({ done: 1, skipped: [] });
      expect(await reports[1]).toMatchObject({ done: 0, skipped: [{ by: "psql" }] });
      expect(server.incidents.records.get(made.record)?.values).toMatchObject({ state: "Active" });
    }
  });

  it("C24 takes a new record away after a reload that only its author has edited", async () => {
    const { client, clock, server, reload } = await opened();
    const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
    await clock.advance(IDLE_MS);
    edit(client, made.record, "Newer", "New");
    await clock.advance(IDLE_MS);
    const again = await reload(client);
    again.core.openTable("incidents").openRowList({ filter: null, sort: ["rank"], search: "" });
    again.core.start();
    await clock.advance(IDLE_MS);
    edit(again, made.record, "Newest", "Newer");
    await clock.advance(100);
    for (let step = 0; step < 3; step += 1) {
      const report = again.core.undo.undo();
      await clock.advance(200);
      expect(await report).toMatchObject({ done: 1, skipped: [] });
    }
    expect(server.incidents.records.has(made.record)).toBe(false);
  });

  it("C24 takes a new record away that its author has edited before the page received it", async () => {
    const { client, clock, server, play: applyUndo } = await opened();
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
    await clock.advance(100);
    edit(client, made.record, "Newer", "New");
    await clock.advance(100);
    client.line.faults = { ...client.line.faults, dropMessage: 0 };
    await clock.advance(IDLE_MS);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(server.incidents.records.has(made.record)).toBe(false);
  });

  it("C24 takes a new record away that only its author has edited since, several times", async () => {
    const { client, clock, server, play: applyUndo } = await opened();
    const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
    await clock.advance(100);
    edit(client, made.record, "Newer", "New");
    await clock.advance(100);
    edit(client, made.record, "Newest", "Newer");
    await clock.advance(100);
    for (let step = 0; step < 3; step += 1) {
      expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    }
    expect(server.incidents.records.has(made.record)).toBe(false);
    expect(await applyUndo("redo")).toMatchObject({ done: 1, skipped: [] });
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(server.incidents.records.has(made.record)).toBe(false);
  });

  it("C24 takes a new record away whose table is not followed any more", async () => {
    const { client, clock, server, session, play: applyUndo } = await opened();
    const made = client.core.edits.create("incidents", { title: "New", rank: 9 });
    await clock.advance(100);
    session.close();
    await clock.advance(5_000);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(server.incidents.records.has(made.record)).toBe(false);
  });

  it("C24 restores no deletion but mine: somebody has restored the record and deleted it again", async () => {
    const { client, clock, server, play: applyUndo } = await opened();
    client.core.edits.delete("incidents", "i3");
    await clock.advance(100);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(await applyUndo("redo")).toMatchObject({ done: 1, skipped: [] });
    server.incidents.run({ op: "restore", ...i3 }, "restored", bob);
    server.incidents.run({ op: "delete", ...i3, version: "" }, "deleted again", bob);
    expect(await applyUndo("undo")).toMatchObject({ done: 0, skipped: [{ record: "i3" }] });
    expect(server.incidents.records.has("i3")).toBe(false);
  });

  it("C24 restores a record that was deleted while the connection was down", async () => {
    const { client, clock, server } = await opened();
    client.line.isUnreachable = true;
    client.line.cut();
    client.core.edits.delete("incidents", "i3");
    const report = client.core.undo.undo();
    client.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect(await report).toMatchObject({ done: 1, skipped: [] });
    expect(server.incidents.records.get("i3")?.values).toMatchObject({ title: "Title 3" });
  });

  it("C24 claims no restore that somebody else has made, names them, and redo leaves the record", async () => {
    for (const isEdited of [false, true]) {
      const { client, clock, server, play: applyUndo } = await opened();
      client.core.edits.deleteMany("incidents", ["i2", "i3"]);
      await clock.advance(100);
      server.write((table) => table.run({ op: "restore", ...i3 }, "restored", bob));
      if (isEdited) {
        const values = { set: { state: "Bob's" }, base: { state: "Active" } };
        server.write((table) => table.run({ op: "update", ...i3, ...values }, "edited", bob));
      }
      expect(await applyUndo("undo")).toMatchObject({
        done: 1,
        changes: [{ kind: "restore", record: "i2" }],
        skipped: [{ record: "i3", by: "Bob", code: "already_restored" }],
      });
      expect(await applyUndo("redo")).toMatchObject({
        done: 1,
        changes: [{ kind: "delete", record: "i2" }],
        skipped: [],
      });
      expect(server.incidents.records.has("i3")).toBe(true);
      expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    }
  });

  it("C24 restores nothing over a record that was created anew under its id, and redo leaves that one", async () => {
    const { client, clock, server, create, play: applyUndo } = await opened();
    client.core.edits.delete("incidents", "i3");
    await clock.advance(100);
    create("i3", { title: "Anew" });
    expect(await applyUndo("undo")).toMatchObject({
      done: 0,
      skipped: [{ record: "i3", by: "psql", code: "replaced" }],
    });
    expect(await applyUndo("redo")).toBeNull();
    expect(server.incidents.records.get("i3")?.values).toEqual({ title: "Anew" });
  });

  it("C24 redoes no deletion of a record that somebody has edited since its restore, also after a reload", async () => {
    for (const isReloaded of [false, true]) {
      const { client, clock, server, change, reload, play: applyUndo } = await opened();
      client.core.edits.delete("incidents", "i3");
      await clock.advance(100);
      expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
      await clock.advance(IDLE_MS);
      // As of the oldest of very many additions, its version is not stored.
      client.undo.write({ ...(client.undo.read() as object), added: [] });
      const page = isReloaded ? await reload(client) : client;
      if (isReloaded) {
        page.core.openTable("incidents").openRowList({ filter: null, sort: ["rank"], search: "" });
        page.core.start();
      }
      change("i3", { title: "Theirs" });
      await clock.advance(IDLE_MS);
      const report = page.core.undo.redo();
      await clock.advance(IDLE_MS);
      expect(await report).toMatchObject({ done: 0, skipped: [{ record: "i3", by: "psql" }] });
      expect(server.incidents.records.get("i3")?.values).toMatchObject({ title: "Theirs" });
    }
  });

  it("C24 writes into no record that was created anew under the id of the edited one, also after a reload", async () => {
    for (const isReloaded of [false, true]) {
      const { client, clock, server, create, remove, reload } = await opened();
      edit(client, "i3", "Mine");
      await clock.advance(IDLE_MS);
      remove("i3");
      create("i3", { title: "Mine" });
      const page = isReloaded ? await reload(client) : client;
      if (isReloaded) page.core.start();
      await clock.advance(IDLE_MS);
      const report = page.core.undo.undo();
      await clock.advance(IDLE_MS);
      expect(await report).toMatchObject({
        done: 0,
        skipped: [{ record: "i3", by: "psql", code: "replaced" }],
      });
      expect(page.core.undo.redo()).toBeNull();
      expect(server.incidents.records.get("i3")?.values).toEqual({ title: "Mine" });
    }
  });

  it("C24 redoes no edit in a record that was created anew since it was undone", async () => {
    const { client, clock, server, create, remove, play: applyUndo } = await opened();
    edit(client, "i3", "Mine");
    await clock.advance(100);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    remove("i3");
    create("i3", { title: "Title 3" });
    expect(await applyUndo("redo")).toMatchObject({ done: 0, skipped: [{ code: "replaced" }] });
    expect(server.incidents.records.get("i3")?.values).toEqual({ title: "Title 3" });
  });

  it("C24 goes back through an edit and a deletion of one record: restored, it is the same", async () => {
    const { client, clock, title, play: applyUndo } = await opened();
    edit(client, "i3", "Mine");
    await clock.advance(100);
    client.core.edits.delete("incidents", "i3");
    await clock.advance(100);
    for (const expected of ["Mine", "Title 3"]) {
      expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
      expect(title("i3")).toBe(expected);
    }
    expect(await applyUndo("redo")).toMatchObject({ done: 1, skipped: [] });
    expect(await applyUndo("redo")).toMatchObject({ done: 1, skipped: [] });
    expect(title("i3")).toBeUndefined();
  });

  it("C24 of a creation deletes no other record that has its id now", async () => {
    const { client, clock, server, create, play: applyUndo } = await opened();
    client.core.edits.create("incidents", { title: "New" }, "chosen");
    await clock.advance(100);
    client.core.edits.delete("incidents", "chosen");
    await clock.advance(100);
    create("chosen", { title: "Anew" });
    await clock.advance(100);
    client.core.edits.delete("incidents", "chosen", `e1.${server.incidents.head}`);
    await clock.advance(100);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, changes: [{ kind: "restore" }] });
    expect(await applyUndo("undo")).toMatchObject({ done: 0, skipped: [{ code: "replaced" }] });
    expect(await applyUndo("undo")).toMatchObject({
      done: 0,
      skipped: [{ code: "record_changed" }],
    });
    expect(server.incidents.records.get("chosen")?.values).toEqual({ title: "Anew" });
  });

  it("C24 undoes no edit that somebody else had made already, and redoes none that is undone already", async () => {
    const { client, clock, title, change, play: applyUndo } = await opened();
    client.line.isUnreachable = true;
    client.line.cut();
    edit(client, "i1", "Same");
    change("i1", { title: "Same" });
    client.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect(await applyUndo("undo")).toBeNull();
    expect(title("i1")).toBe("Same");
    edit(client, "i2", "Mine");
    await clock.advance(100);
    change("i2", { title: "Title 2" });
    expect(await applyUndo("undo")).toMatchObject({
      ...{ done: 0, changes: [] },
      skipped: [{ record: "i2", by: null, code: "unchanged" }],
    });
    expect(await applyUndo("redo")).toBeNull();
    expect(title("i2")).toBe("Title 2");
  });
});
