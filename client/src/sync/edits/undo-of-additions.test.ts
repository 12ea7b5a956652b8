import { describe, expect, it } from "vitest";
import { IDLE_MS } from "../testing/fake-system.ts";
import { edit, opened } from "../testing/undo-client.ts";

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
      skipped: [{ record: made.record, by: "psql" }],
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
    again.openWindow({ filter: null, sort: ["rank"], search: "" });
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
      shown.openWindow({ filter: null, sort: ["rank"], search: "" });
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
      session.openWindow({ filter: null, sort: ["rank"], search: "" });
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
    again.core.openTable("incidents").openWindow({ filter: null, sort: ["rank"], search: "" });
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
    const by = { kind: "user", id: "bob", name: "Bob" } as const;
    const at = { table: "incidents", record: "i3" };
    client.core.edits.delete("incidents", "i3");
    await clock.advance(100);
    expect(await applyUndo("undo")).toMatchObject({ done: 1, skipped: [] });
    expect(await applyUndo("redo")).toMatchObject({ done: 1, skipped: [] });
    server.incidents.run({ op: "restore", ...at }, "restored", by);
    server.incidents.run({ op: "delete", ...at, version: "" }, "deleted again", by);
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
});
