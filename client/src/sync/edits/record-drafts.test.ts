import { describe, expect, it } from "vitest";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { fakeModel } from "../testing/fake-server.ts";
import { fakeSystem, IDLE_MS } from "../testing/fake-system.ts";

const byRank = { filter: null, sort: ["rank"], search: "" };

/** A table whose records need a title, and one whose records are called by it. */
function modelWith(more: Partial<Table>) {
  const [incidents] = fakeModel.tables as [Table];
  const fields = incidents.fields.map((field) =>
    field.name === "title" ? { ...field, required: true } : field,
  );
  return { ...fakeModel, tables: [{ ...incidents, fields, ...more }] };
}

async function opened(more: Partial<Table> = {}) {
  const system = fakeSystem();
  system.seed(3);
  const client = system.client();
  const model = modelWith(more);
  client.setVisibleModel(model);
  client.core.start();
  const rowList = client.core.openTable("incidents").openRowList(byRank);
  await system.clock.advance(100);
  const { edits } = client.core;
  const write = (record: string, set: object) =>
    edits.edit("incidents", { record, set: { ...set }, base: {} });
  return { ...system, client, edits, model, rowList, write };
}

describe("a draft of a record", () => {
  it("C36 is shown to its author only, until what it needs is filled, and is created once", async () => {
    const { clock, edits, server, rowList, write } = await opened();
    const id = edits.draft("incidents", { rank: 7 });
    await clock.advance(IDLE_MS);
    expect(rowList.created).toMatchObject([{ id, pending: "draft", values: { rank: 7 } }]);
    expect(await write(id, { state: "New" }).outcome).toEqual({ kind: "draft", record: id });
    expect(server.incidents.records.has(id)).toBe(false);
    expect([...server.runs.values()]).toEqual([]);
    const { outcome } = write(id, { title: "Whole" });
    await clock.advance(100);
    expect(await outcome).toMatchObject({ kind: "confirmed", record: id });
    const values = { title: "Whole", state: "New", rank: 7 };
    expect(server.incidents.records.get(id)?.values).toMatchObject(values);
    expect([...server.runs.values()]).toEqual([1]);
  });

  it("C36 survives a reload, and is created by an edit after it", async () => {
    const { client, clock, edits, model, reload, server, write } = await opened();
    const id = edits.draft("incidents", {});
    await write(id, { rank: 5 }).outcome;
    const again = await reload(client);
    again.setVisibleModel(model);
    const rowList = again.core.openTable("incidents").openRowList(byRank);
    again.core.start();
    await clock.advance(IDLE_MS);
    expect(rowList.created).toMatchObject([{ id, pending: "draft", values: { rank: 5 } }]);
    again.core.edits.edit("incidents", { record: id, set: { title: "Later" }, base: {} });
    await clock.advance(IDLE_MS);
    expect(server.incidents.records.get(id)?.values).toMatchObject({ title: "Later", rank: 5 });
    expect(await again.storage.load("ann")).toEqual([]);
  });

  it("is used again while nothing was written in it", async () => {
    const { edits, rowList, write } = await opened();
    const first = edits.draft("incidents", {});
    expect(edits.draft("incidents", {})).toBe(first);
    await write(first, { rank: 1 }).outcome;
    const second = edits.draft("incidents", {});
    expect(rowList.created.map(({ id }) => id)).toEqual([second, first]);
  });

  it("is not used again while a text of it is typed, looked up or listed as unsaved", async () => {
    const { client, edits } = await opened();
    const { texts } = client.core;
    const record = edits.draft("incidents", {});
    const place = { table: "incidents", record, field: "rank" };
    const isUsedAgain = () => edits.draft("incidents", {}) === record;
    texts.setTyping(place, "7x", "Incidents · Rank");
    expect(isUsedAgain()).toBe(false);
    const release = texts.holdTyped(place);
    expect(isUsedAgain()).toBe(false);
    release();
    expect(isUsedAgain()).toBe(true);
    const listed = texts.add({ ...place, text: "7x", label: "Rank", reason: "Not a number." });
    expect(isUsedAgain()).toBe(false);
    texts.discard(listed ?? "");
    expect(isUsedAgain()).toBe(true);
  });

  it("is created under its name where names are ids, and stays in its row", async () => {
    const { client, clock, edits, server, rowList, write } = await opened({ idFrom: "title" });
    const id = edits.draft("incidents", {});
    const { outcome } = write(id, { title: "Network" });
    write(id, { state: "Active" });
    await clock.advance(100);
    expect(await outcome).toMatchObject({ record: "Network" });
    write(id, { rank: 4 });
    await clock.advance(100);
    expect(server.incidents.records.get("Network")?.values).toMatchObject({
      state: "Active",
      rank: 4,
    });
    expect(server.incidents.records.has(id)).toBe(false);
    expect(rowList.created).toMatchObject([{ id: "Network", pending: null }]);
    expect(rowList.rowId("Network")).toBe(id);
    // The next page does not know the id of the draft.
    client.core.storeBeforeLeaving();
    const { done } = client.undo.read() as { done: { steps: [string, { record: string }][] }[] };
    const undone = done.flatMap(({ steps }) => steps.map(([, { record }]) => record));
    expect(new Set(undone)).toEqual(new Set(["Network"]));
  });

  it("stays in the row where it was begun when its name becomes its id", async () => {
    const { clock, edits, rowList, write } = await opened({ idFrom: "title" });
    const rows = async () => {
      const read = rowList.getRows(0, 100);
      await clock.advance(50);
      return (await read).rows.map(({ id }) => id);
    };
    await rows();
    const id = edits.draft("incidents", {});
    rowList.placeCreated(id, 1);
    write(id, { title: "Network", rank: 9 });
    await clock.advance(100);
    expect(await rows()).toEqual(["i0", "Network", "i1", "i2"]);
  });

  it("is found by the id that it had while it was written into with others", async () => {
    const { clock, edits, server, write } = await opened({ idFrom: "title" });
    const id = edits.draft("incidents", {});
    write(id, { title: "Network" });
    await clock.advance(100);
    const pasted = [
      { record: id, set: { rank: 4 }, base: { rank: null } },
      { record: "i1", set: { rank: 4 }, base: { rank: 1 } },
    ];
    const { outcomes } = edits.editMany("incidents", pasted, "paste");
    await clock.advance(100);
    expect(await outcomes).toMatchObject([
      { kind: "confirmed", record: "Network" },
      { kind: "confirmed", record: "i1" },
    ]);
    expect(server.incidents.records.get("Network")?.values).toMatchObject({ rank: 4 });
  });

  it("C36 is a draft again when the server refuses it, with what was written meanwhile", async () => {
    const { client, clock, edits, server, rowList, write } = await opened({ idFrom: "title" });
    const id = edits.draft("incidents", {});
    client.line.faults = { ...client.line.faults, maxDelayMs: 50 };
    write(id, { title: "i1" });
    write(id, { state: "Active" });
    await clock.advance(IDLE_MS);
    expect(rowList.get(id)).toMatchObject({
      pending: "draft",
      problem: { code: "duplicate" },
      values: { title: "i1", state: "Active" },
    });
    expect(rowList.get("i1")).toMatchObject({ problem: null, values: { title: "Title 1" } });
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 1 });
    write(id, { title: "Another" });
    await clock.advance(IDLE_MS);
    expect(server.incidents.records.get("Another")?.values).toMatchObject({ state: "Active" });
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 0 });
  });

  it("C24 is undone in one step with the stored records that were written with it", async () => {
    const { client, clock, edits, server } = await opened();
    const id = edits.draft("incidents", {});
    const { title: before } = server.incidents.records.get("i1")?.values ?? {};
    const pasted = (record: string, base: Json) => ({
      record,
      set: { title: "Pasted" },
      base: { title: base },
    });
    edits.editMany("incidents", [pasted(id, null), pasted("i1", before ?? null)], "paste");
    await clock.advance(100);
    expect(server.incidents.records.get(id)?.values).toMatchObject({ title: "Pasted" });
    void client.core.undo.undo();
    await clock.advance(100);
    expect(server.incidents.records.get("i1")?.values).toMatchObject({ title: before });
    expect(server.incidents.records.has(id)).toBe(false);
    void client.core.undo.redo();
    await clock.advance(100);
    expect(server.incidents.records.get("i1")?.values).toMatchObject({ title: "Pasted" });
    expect(server.incidents.records.get(id)?.values).toMatchObject({ title: "Pasted" });
  });

  it("is gone when it is discarded, and comes back", async () => {
    const { client, clock, edits, rowList, write } = await opened();
    const id = edits.draft("incidents", {});
    await write(id, { rank: 3 }).outcome;
    const restore = edits.discard("incidents", id);
    await clock.advance(100);
    expect(rowList.created).toEqual([]);
    expect(await client.storage.load("ann")).toEqual([]);
    restore();
    expect(rowList.created).toMatchObject([{ id, values: { rank: 3 } }]);
    // The next one does not take its place.
    expect(edits.draft("incidents", {})).not.toBe(id);
  });

  it("loses no value with a field that the model has no longer: it is listed as unsaved", async () => {
    const { client, clock, edits, rowList, write } = await opened();
    const id = edits.draft("incidents", {});
    write(id, { secret: "Typed", rank: 3 });
    const [incidents] = modelWith({}).tables as [Table];
    const fields = incidents.fields.filter(({ name }) => name !== "secret");
    client.setVisibleModel({ ...fakeModel, tables: [{ ...incidents, fields }] });
    await clock.advance(100);
    expect(rowList.created).toMatchObject([{ id, values: { rank: 3 } }]);
    expect(client.store.get(unsavedTextsAtom)).toMatchObject([{ record: id, text: "Typed" }]);
  });

  it("does not come back where it was deleted before the server refused to create it", async () => {
    const { client, clock, edits, rowList } = await opened();
    client.line.isUnreachable = true;
    client.line.cut();
    const { record } = edits.create("incidents", { title: "New" }, "i1");
    edits.delete("incidents", record);
    client.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect([rowList.created, client.counts().rejected]).toEqual([[], 0]);
  });
});

describe("new records above the rows", () => {
  it("are few: those that I have left get ordinary rows", async () => {
    const { client, clock, edits, rowList } = await opened();
    for (let rank = 20; rank > 0; rank -= 1) {
      const { record } = edits.create("incidents", { title: "Mine", rank });
      rowList.setCurrent(record);
      await clock.advance(200);
    }
    await clock.advance(IDLE_MS);
    expect(rowList.created.length).toBeLessThanOrEqual(3);
    expect(rowList.status.total).toBe(23);
    expect(rowList.status.rowCount + rowList.created.length).toBe(23);
    expect(client.counts().waiting).toBe(0);
  });

  it("keep the one that I am in, when rows are put in order", async () => {
    const { clock, edits, rowList } = await opened();
    const { record } = edits.create("incidents", { title: "Mine", rank: 1 });
    rowList.setCurrent(record);
    await clock.advance(100);
    rowList.realign();
    await clock.advance(100);
    expect(rowList.created.map(({ id }) => id)).toEqual([record]);
    rowList.setCurrent(null);
    rowList.realign();
    await clock.advance(100);
    expect(rowList.created).toEqual([]);
  });
});
