import { expect, it } from "vitest";
import { RecordCache } from "../records/record-cache.ts";
import { fakeSystem, IDLE_MS, record } from "../testing/fake-system.ts";
import { OwnRows, PINNED_MAX_RECORDS } from "./own-rows.ts";
import type { ViewQuery } from "./view-query.ts";

const byRank: ViewQuery = { filter: null, sort: ["rank"], search: "" };

/** Some rows, and a new record that begins in the third one. */
async function begun(count = 4) {
  const system = fakeSystem();
  system.seed(count);
  const { core, line } = system.client();
  const rowList = core.openTable("incidents").openRowList(byRank);
  core.start();
  await system.clock.advance(100);
  const rows = async () => {
    const pendingRows = rowList.getRows(0, Math.max(count, 100));
    await system.clock.advance(50);
    return (await pendingRows).rows.map(({ id }) => id);
  };
  await rows();
  const draft = core.edits.draft("incidents", { state: "New" });
  rowList.placeCreated(draft, 2);
  /** Rows that are read from now on arrive later than everything else. */
  const readSlowly = () => {
    const call = line.call.bind(line);
    line.call = async (...args) => {
      const answer = await call(...args);
      if (args[0] === "query") await new Promise<void>((done) => system.clock.after(500, done));
      return answer;
    };
  };
  return { ...system, core, rowList, rows, draft, readSlowly };
}

it("C26 a new record stays in the row where it began, until the server has it and rows are aligned", async () => {
  const { core, rowList, rows, draft, clock, change, create } = await begun();
  expect(await rows()).toEqual(["i0", "i1", draft, "i2", "i3"]);
  expect(rowList.created).toEqual([]);
  expect(rowList.status).toMatchObject({ rowCount: 5, total: 4 });
  change("i1", { title: "Changed beside it" });
  create("x1", { ...record(0), rank: -1 });
  await clock.advance(50);
  expect([rowList.get("i1")?.mark, rowList.get(draft)?.mark]).toEqual([null, null]);
  rowList.realign();
  expect(await rows()).toEqual(["x1", "i0", "i1", draft, "i2", "i3"]);
  core.edits.edit("incidents", { record: draft, set: { rank: -5 }, base: { rank: null } });
  await clock.advance(1_000);
  expect(rowList.status.total).toBe(6);
  await clock.advance(IDLE_MS);
  expect(await rows()).toEqual(["x1", "i0", "i1", draft, "i2", "i3"]);
  expect(rowList.get(draft)).toMatchObject({ mark: "moved", pending: null });
  expect(rowList.status).toMatchObject({ rowCount: 6, total: 6, waiting: 0 });
  rowList.realign();
  expect(await rows()).toEqual([draft, "x1", "i0", "i1", "i2", "i3"]);
  expect(rowList.get(draft)?.mark).toBeNull();
});

it("C26 a new record without a value of the user moves to where it is begun again", async () => {
  const { core, rowList, rows, draft } = await begun();
  expect(core.edits.draft("incidents", { state: "Active" })).toBe(draft);
  rowList.placeCreated(draft, 5);
  expect(await rows()).toEqual(["i0", "i1", "i2", "i3", draft]);
  rowList.placeCreated(draft, 1);
  expect(await rows()).toEqual(["i0", draft, "i1", "i2", "i3"]);
  rowList.placeCreated(draft, null);
  expect(await rows()).toEqual(["i0", "i1", "i2", "i3"]);
  expect(rowList.created).toMatchObject([{ id: draft }]);
  expect(rowList.status.rowCount).toBe(4);
});

it("C26 a new record that is discarded leaves its row, and another view shows it above the rows", async () => {
  const { core, rowList, rows, draft, clock } = await begun();
  rowList.setView({ ...byRank, sort: ["-rank"] });
  expect(await rows()).toEqual(["i3", "i2", "i1", "i0"]);
  expect(rowList.created).toMatchObject([{ id: draft }]);
  rowList.placeCreated(draft, 4);
  expect(await rows()).toEqual(["i3", "i2", "i1", "i0", draft]);
  core.edits.discard("incidents", draft);
  await clock.advance(50);
  expect(await rows()).toEqual(["i3", "i2", "i1", "i0"]);
  expect(rowList.status.rowCount).toBe(4);
});

it("C26 finished new records stay above the rows while these are held", async () => {
  const { core, rowList, rows, clock } = await begun();
  rowList.hold(true);
  for (let count = 0; count <= PINNED_MAX_RECORDS; count += 1) {
    core.edits.create("incidents", { ...record(0), rank: 10 + count });
  }
  await clock.advance(200);
  expect(rowList.created.length).toBe(PINNED_MAX_RECORDS + 1);
  rowList.hold(false);
  expect((await rows()).length).toBe(5 + PINNED_MAX_RECORDS + 1);
  expect(rowList.created).toEqual([]);
});

it("C26 a new record above the rows that somebody else deletes stays there, marked, while these are held", async () => {
  const { core, rowList, clock, remove } = await begun();
  const { record: made } = core.edits.create("incidents", { ...record(0), rank: 10 });
  await clock.advance(200);
  rowList.hold(true);
  remove(made);
  await clock.advance(200);
  expect(rowList.created).toMatchObject([{ id: made, mark: "deleted" }]);
  rowList.hold(false);
  expect(rowList.created).toEqual([]);
});

it("C26 rows that are read anew unasked do not change any more once their user is at work in them", async () => {
  const { rowList, rows, clock, change, readSlowly } = await begun();
  change("i0", { rank: 50 });
  await clock.advance(50);
  readSlowly();
  const before = await rows();
  rowList.realign({ isAsked: false });
  rowList.hold(true);
  await clock.advance(IDLE_MS);
  expect(await rows()).toEqual(before);
  rowList.hold(false);
  rowList.realign({ isAsked: false });
  await clock.advance(IDLE_MS);
  expect((await rows()).at(-1)).toBe("i0");
});

it("C26 a new record above the rows stays there if its user comes back to it while rows are read", async () => {
  const { core, rowList, rows, clock, readSlowly } = await begun();
  const { record: made } = core.edits.create("incidents", { ...record(0), rank: 1.5 });
  await clock.advance(200);
  readSlowly();
  rowList.realign();
  rowList.setCurrent(made);
  await clock.advance(IDLE_MS);
  expect(rowList.created).toMatchObject([{ id: made }]);
  expect(await rows()).not.toContain(made);
});

it("C26 a new record that the server stores while rows are read stays in its row", async () => {
  const { core, rowList, rows, draft, clock, readSlowly } = await begun();
  readSlowly();
  rowList.realign();
  core.edits.edit("incidents", { record: draft, set: { rank: 9 }, base: { rank: null } });
  await clock.advance(400);
  expect(rowList.get(draft)?.pending).toBeNull();
  await clock.advance(400);
  expect(await rows()).toEqual(["i0", "i1", draft, "i2", "i3"]);
  expect(rowList.get(draft)?.mark).toBe("moved");
  await clock.advance(IDLE_MS);
  expect(rowList.status).toMatchObject({ rowCount: 5, total: 5, waiting: 0 });
  rowList.realign();
  await clock.advance(IDLE_MS);
  expect(await rows()).toEqual(["i0", "i1", "i2", "i3", draft]);
});

it("C26 a new record above the rows does not wait for a row beside", async () => {
  const { core, rowList, clock, readSlowly } = await begun();
  readSlowly();
  rowList.realign();
  core.edits.create("incidents", { ...record(0), rank: 9 });
  await clock.advance(IDLE_MS);
  expect(rowList.created.length).toBe(1);
  expect(rowList.status).toMatchObject({ waiting: 0, total: 5 });
});

it("C29 a new record with an open editor keeps its row in another view", async () => {
  const { rowList, rows, draft } = await begun();
  rowList.beginEdit(draft);
  rowList.setView({ ...byRank, sort: ["-rank"] });
  expect(await rows()).toEqual(["i3", "i2", draft, "i1", "i0"]);
  expect(rowList.created).toEqual([]);
});

it("C26 a new record ends a view that has become shorter", async () => {
  const { rowList, draft, clock, remove, rows } = await begun(150);
  rowList.setVisible(100, 150);
  rowList.placeCreated(draft, 140);
  await rows();
  for (let index = 3; index < 150; index += 1) remove(`i${index}`);
  await clock.advance(IDLE_MS);
  rowList.realign();
  await clock.advance(IDLE_MS);
  expect((await rows()).at(-1)).toBe(draft);
  expect(rowList.status.rowCount).toBe(4);
});

it("C26 a new record that the server gives another id keeps its row, its editor, the focus and its values", () => {
  const cache = new RecordCache(() => {});
  const own = new OwnRows({ cache, view: () => undefined, isMyCreate: () => false });
  own.add("draft");
  own.beginEdit("draft");
  own.current = "draft";
  own.rename("draft", "i7");
  expect([own.current, own.edited, own.rowId("i7")]).toEqual(["i7", ["i7"], "draft"]);
  expect(["draft", "i7"].filter((id) => cache.isRetained(id))).toEqual(["i7"]);
});
