import { describe, expect, it } from "vitest";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { FakeClock } from "../testing/fake-clock.ts";
import { fakeModel } from "../testing/fake-server.ts";
import { type FakeClient, fakeSystem, IDLE_MS, record } from "../testing/fake-system.ts";
import { ROWS_MAX } from "./arrange-rows.ts";
import type { RowsEvent } from "./row-list.ts";
import { RUN_ROWS } from "./row-table.ts";
import type { ViewQuery } from "./view-query.ts";

/** Some titles are times, which are compared as texts: those of the filter are written in the same zone on every machine. */
const byRank: ViewQuery = { filter: null, sort: ["rank"], search: "", zone: "UTC" };
const unsorted: ViewQuery = { ...byRank, sort: [] };
const onlyNew = { field: "state", op: "eq" as const, value: "New" };
const newByRank: ViewQuery = { ...byRank, filter: onlyNew };
const tooManyBytes = { code: "too_large" as const, message: "", unit: "bytes" };

async function opened(records: number, view = byRank, make = record) {
  const system = fakeSystem();
  system.seed(records, make);
  const client = system.client();
  const session = client.core.openTable("incidents");
  const rowList = session.openRowList(view);
  const events: RowsEvent[] = [];
  rowList.onRows((event) => events.push(event));
  client.core.start();
  await system.clock.advance(100);
  const rows = async (start = 0, end = 100) => {
    const pendingRows = rowList.getRows(start, end);
    await system.clock.advance(20);
    return (await pendingRows).rows.map(({ id }) => id);
  };
  await rows();
  events.length = 0;
  return { ...system, client, session, rowList, events, rows };
}

/** The next pages, or so many of them, arrive that much later. */
function answerLate(
  { client: { line }, clock }: { client: FakeClient; clock: FakeClock },
  ms: number,
  count = Number.POSITIVE_INFINITY,
): void {
  const call = line.call.bind(line);
  let left = count;
  line.call = async (...args) => {
    const isLate = args[0] === "query" && left-- > 0;
    const answer = await call(...args);
    if (isLate) await new Promise<void>((done) => clock.after(ms, done));
    return answer;
  };
}

describe("the rows of a view", () => {
  it("C26 follow the server's time, not that of a browser whose clock is hours ahead", async () => {
    const hour = 3_600_000;
    const system = fakeSystem();
    const { clock } = system;
    const at = (index: number) => new Date(clock.now() - index * 0.2 * hour).toISOString();
    system.seed(5, (index) => ({ ...record(index), title: at(index) }));
    const client = system.client("ann", undefined, undefined, 3 * hour);
    const recent = { field: "title", op: "gte" as const, value: { ago: "2h" } };
    const rowList = client.core.openTable("incidents").openRowList({ ...byRank, filter: recent });
    client.core.start();
    await clock.advance(100);
    // Before the server has said what time it is.
    for (const id of ["i0", "i1", "i2", "i3", "i4"]) system.change(id, { state: "Active" });
    await clock.advance(IDLE_MS);
    expect(rowList.status).toMatchObject({ rowCount: 5, total: 5, displaced: 0 });
    system.change("i1", { title: new Date(clock.now() - 3 * hour).toISOString() });
    await clock.advance(IDLE_MS);
    expect(rowList.status).toMatchObject({ total: 4, displaced: 1 });
  });

  it("C25 stay where they are when they no longer match, marked until the alignment", async () => {
    const { rowList, clock, change, rows } = await opened(6, newByRank);
    change("i2", { state: "Active" });
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
    expect(rowList.get("i2")?.mark).toBe("gone");
    expect(rowList.status).toMatchObject({ rowCount: 3, total: 2, displaced: 1 });
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i4"]);
    expect(rowList.status).toMatchObject({ rowCount: 2, total: 2, displaced: 0 });
  });

  it("C25 lose their mark when they belong there again", async () => {
    const { rowList, clock, change } = await opened(6);
    change("i1", { rank: 50 });
    await clock.advance(50);
    expect(rowList.get("i1")?.mark).toBe("moved");
    expect(rowList.indexOf("i1")).toBe(1);
    change("i1", { rank: 1 });
    await clock.advance(50);
    expect(rowList.get("i1")?.mark).toBeNull();
  });

  it.each([true, false])(
    "C25 stay where they are when all are read anew if their user is at work in them: %s",
    async (isInUse) => {
      const { rowList, server, clock, change, rows } = await opened(5);
      rowList.setCurrent(null, isInUse);
      change("i1", { rank: 50 });
      change("i3", { rank: 40 });
      server.startEpoch();
      await clock.advance(200);
      const aligned = ["i0", "i2", "i4", "i3", "i1"];
      expect(await rows()).toEqual(isInUse ? ["i0", "i1", "i2", "i3", "i4"] : aligned);
      expect(rowList.status).toMatchObject({ rowCount: 5, total: 5 });
      expect(rowList.status.displaced > 0).toBe(isInUse);
      rowList.realign();
      await clock.advance(50);
      expect(await rows()).toEqual(aligned);
      expect(rowList.status).toMatchObject({ rowCount: 5, total: 5, displaced: 0 });
    },
  );

  it("C25 neither move, come nor go while their user is at work in them, although all are read anew", async () => {
    const { rowList, server, clock, change, create, remove, rows, client, events } =
      await opened(5);
    rowList.setCurrent(null, true);
    const { edits } = client.core;
    const placed = edits.draft("incidents", { state: "New" });
    rowList.placeCreated(placed, 3);
    edits.edit("incidents", { record: placed, set: { rank: 70 }, base: { rank: null } });
    const above = [60, 61, 62].map((rank) => {
      const { record: id } = edits.create("incidents", { ...record(0), rank });
      return id;
    });
    rowList.hold(true);
    await clock.advance(200);
    const shown = ["i0", "i1", "i2", placed, "i3", "i4"];
    expect(await rows()).toEqual(shown);
    events.length = 0;
    change("i1", { rank: 50 });
    remove("i2");
    create("x1", { ...record(0), rank: 3.5 });
    server.startEpoch();
    remove("i4");
    create("x2", { ...record(0), rank: -1 });
    await clock.advance(IDLE_MS);
    expect(events.filter(({ kind }) => kind === "reset")).toEqual([]);
    expect(await rows()).toEqual(shown);
    expect(shown.filter((id) => rowList.get(id)?.mark === "deleted")).toEqual(["i2", "i4"]);
    expect(shown.some((id) => rowList.get(id)?.mark === "moved")).toBe(true);
    expect(rowList.created.map(({ id }) => id).sort()).toEqual([...above].sort());
    expect(rowList.status).toMatchObject({ rowCount: 6, total: 9, waiting: 2, phase: "ready" });
    rowList.hold(false);
    rowList.realign();
    await clock.advance(IDLE_MS);
    expect(await rows()).toEqual(["x2", "i0", "i3", "x1", "i1", ...above, placed]);
    expect(rowList.status).toMatchObject({ rowCount: 9, total: 9, waiting: 0, displaced: 0 });
  });

  it("C25 that were not read anew are read when they are scrolled to, in the place that they had", async () => {
    const { rowList, server, clock, remove, create, rows, events } = await opened(320);
    const before = [...(await rows(0, 100)), ...(await rows(100, 200)), ...(await rows(200, 320))];
    rowList.setCurrent("i0", true);
    rowList.setVisible(110, 140);
    events.length = 0;
    server.startEpoch();
    for (let index = 0; index < 5; index += 1) remove(`i${index}`);
    remove("i120");
    create("x1", { ...record(0), rank: 130.5 });
    await clock.advance(IDLE_MS);
    expect(events.filter(({ kind }) => kind === "reset")).toEqual([{ kind: "reset" }]);
    const after = [...(await rows(100, 200)), ...(await rows(200, 320))];
    expect(after.slice(0, 95)).toEqual(before.slice(100, 195));
    expect(new Set(after).size).toBe(after.length);
    expect(after).not.toContain("x1");
    expect(rowList.get("i120")?.mark).toBe("deleted");
    expect(rowList.status.waiting).toBe(1);
  });

  it("C25 are put in order where their user has asked for it, also if all are to be read anew meanwhile", async () => {
    const { rowList, server, clock, change, rows, client } = await opened(4);
    rowList.setCurrent(null, true);
    change("i1", { rank: 50 });
    await clock.advance(50);
    answerLate({ client, clock }, 500);
    rowList.realign();
    await clock.advance(100);
    server.startEpoch();
    await clock.advance(IDLE_MS);
    expect(await rows()).toEqual(["i0", "i2", "i3", "i1"]);
  });

  it("C25 of a view that has become shorter are read from its beginning", async () => {
    const { rowList, clock, remove, rows } = await opened(150);
    rowList.setVisible(100, 150);
    await rows(100, 150);
    for (let index = 3; index < 150; index += 1) remove(`i${index}`);
    await clock.advance(IDLE_MS);
    rowList.realign();
    await clock.advance(100);
    expect(rowList.status).toMatchObject({ rowCount: 3, total: 3 });
    expect(rowList.at(0)?.id).toBe("i0");
  });

  it("C25 of deleted records stay, without their values", async () => {
    const { rowList, clock, remove, rows } = await opened(4);
    remove("i1");
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i1", "i2", "i3"]);
    expect(rowList.get("i1")).toMatchObject({ mark: "deleted", values: {} });
    expect(rowList.status).toMatchObject({ rowCount: 4, total: 3 });
  });

  it("C25 are all there after reads that overlap, at the same time", async () => {
    const { rowList, clock, rows } = await opened(260);
    const reads = [rowList.getRows(150, 151), rowList.getRows(100, 200), rowList.getRows(140, 260)];
    await clock.advance(50);
    await Promise.all(reads);
    expect(rowList.status.rowCount).toBe(260);
    expect(await rows(0, 260)).toEqual(Array.from({ length: 260 }, (_, index) => `i${index}`));
  });

  it("C25 are marked for my own edits at once", async () => {
    const { rowList, client, clock } = await opened(6, newByRank);
    const set = { state: "Active" };
    client.core.edits.edit("incidents", { record: "i2", set, base: { state: "New" } });
    await clock.advance(20);
    expect(rowList.get("i2")?.mark).toBe("gone");
  });

  it("C15 change at most once per tick, by the same object where nothing changed", async () => {
    const { rowList, clock, change, events } = await opened(6);
    const untouched = rowList.get("i3");
    for (let round = 0; round < 50; round++) change("i1", { title: `Round ${round}` });
    await clock.advance(40);
    expect(events.length).toBeLessThanOrEqual(2);
    expect(events.flatMap((event) => ("records" in event ? [...event.records] : []))).toContain(
      "i1",
    );
    expect(rowList.get("i1")?.values.title).toBe("Round 49");
    expect(rowList.get("i3")).toBe(untouched);
  });

  it("C15 come with who changed which cell", async () => {
    const { clock, change, events } = await opened(3);
    change("i1", { title: "Flash" });
    await clock.advance(40);
    expect(events[0]).toMatchObject({
      kind: "rows",
      flashes: [{ record: "i1", field: "title", by: { name: "psql" }, mine: false }],
    });
  });

  it("C26 wait to come in, and are counted", async () => {
    const { rowList, clock, create, change, remove, rows } = await opened(6, newByRank);
    create("x1", { ...record(0), rank: -1 });
    create("x2", { ...record(0), state: "Active" });
    create("x3", { ...record(0), rank: 90 });
    await clock.advance(50);
    expect(rowList.status).toMatchObject({ waiting: 2, rowCount: 3, total: 5 });
    remove("x3");
    change("x1", { state: "Active" });
    await clock.advance(50);
    expect(rowList.status).toMatchObject({ waiting: 0, total: 3 });
    change("x1", { state: "New" });
    await clock.advance(IDLE_MS);
    expect(rowList.status.waiting).toBe(1);
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["x1", "i0", "i2", "i4"]);
    expect(rowList.status).toMatchObject({ waiting: 0, rowCount: 4, total: 4 });
  });

  it("C26 that move from where no rows are loaded to among those that are wait to come in", async () => {
    for (const view of [byRank, newByRank, { ...byRank, sort: ["-state", "rank"] }]) {
      const { rowList, clock, change, rows } = await opened(600, view);
      const before = rowList.status;
      const total = before.rowCount;
      change("i500", { rank: 3 });
      await clock.advance(IDLE_MS);
      expect(rowList.status).toMatchObject({ waiting: 1, displaced: 0, total });
      rowList.realign();
      await clock.advance(50);
      expect((await rows()).slice(0, 5)).toContain("i500");
      expect(rowList.status).toMatchObject({ waiting: 0, rowCount: total, total });
    }
  });

  it("C26 that move where no rows are loaded don't wait, and are there when these are", async () => {
    const { rowList, clock, change, rows } = await opened(600);
    change("i500", { rank: 400.5 });
    change("i501", { title: "Another" });
    await clock.advance(IDLE_MS);
    expect(rowList.status.waiting).toBe(0);
    expect((await rows(395, 405)).filter((id) => id === "i500")).toEqual(["i500"]);
  });

  it("C26 that are not loaded don't wait because they changed while the others were read", async () => {
    const { rowList, clock, change, create, client } = await opened(600, newByRank);
    answerLate({ client, clock }, 500);
    rowList.realign();
    await clock.advance(100);
    change("i500", { title: "Another" });
    change("i502", { rank: 504.5 });
    change("i504", { rank: 3 });
    create("x1", { ...record(0), rank: 1 });
    change("i501", { state: "New" });
    await clock.advance(IDLE_MS);
    // Those that came in, and the one that moved among the loaded rows.
    expect(rowList.status.waiting).toBe(3);
  });

  it("C26 that are my own are shown at once above the others, until the alignment", async () => {
    const { rowList, client, clock, rows, server } = await opened(3);
    const made = client.core.edits.create("incidents", { title: "Mine", rank: -5 });
    expect(rowList.created).toMatchObject([{ id: made.record, pending: "create" }]);
    await clock.advance(50);
    expect(rowList.created).toMatchObject([{ id: made.record, pending: null }]);
    expect(rowList.status).toMatchObject({ waiting: 0, rowCount: 3 });
    expect(server.incidents.records.has(made.record)).toBe(true);
    rowList.realign();
    await clock.advance(50);
    expect(rowList.created).toEqual([]);
    expect(await rows()).toEqual([made.record, "i0", "i1", "i2"]);
  });

  it("C27 are never in two rows, however the order moved between two reads", async () => {
    const { rowList, clock, create, remove, change, rows } = await opened(300);
    for (let index = 0; index < 30; index++) create(`x${index}`, { ...record(0), rank: -index });
    remove("i3");
    change("i5", { rank: 250 });
    change("i290", { rank: 2 });
    await clock.advance(50);
    const shown = [...(await rows(0, 100)), ...(await rows(100, 200)), ...(await rows(200, 300))];
    expect(new Set(shown).size).toBe(shown.length);
    const unmarked = shown.filter((id) => rowList.get(id)?.mark === null && id !== "i290");
    expect(unmarked).toEqual(
      Array.from({ length: 300 }, (_, index) => `i${index}`).filter(
        (id) => !["i3", "i5", "i290"].includes(id),
      ),
    );
  });

  it.each([
    ["a place that is not loaded", byRank, record, { rank: 999 }],
    [
      "somewhere among equal ones",
      { ...byRank, sort: ["state"] },
      (index: number) => ({ ...record(index), state: index < 200 ? "New" : "Active" }),
      { state: "New" },
    ],
  ])(
    "C27 are none left out because the last one that is loaded moved to %s",
    async (_, view, make, set) => {
      const { clock, change, rows, rowList } = await opened(300, view, make);
      const shown = await rows();
      const last = shown.at(-1) as string;
      change(last, set);
      await clock.advance(50);
      const all = [...shown, ...(await rows(100, 200)), ...(await rows(200, 300))];
      expect(new Set(all)).toEqual(new Set(Array.from({ length: 300 }, (_none, n) => `i${n}`)));
      expect(rowList.get(last)?.mark).toBe("moved");
      rowList.realign();
      await clock.advance(50);
      expect((await rows(200, 300)).at(-1)).toBe(last);
    },
  );

  it("C25 are in the order of entry where the view has no other: none moves, and new ones come last", async () => {
    const { clock, change, create, rows, rowList, client } = await opened(4, unsorted);
    for (const id of ["i0", "i1", "i2"]) change(id, { rank: 50, title: "Changed" });
    create("a", record(9));
    await clock.advance(50);
    expect(rowList.status).toMatchObject({ displaced: 0, waiting: 1 });
    const { record: mine } = client.core.edits.create("incidents", record(10));
    await clock.advance(200);
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i1", "i2", "i3", "a", mine]);
    client.core.edits.delete("incidents", "i1");
    await clock.advance(200);
    expect(rowList.status.displaced).toBe(1);
    client.core.undo.undo();
    await clock.advance(200);
    expect(rowList.status).toMatchObject({ displaced: 0, total: 6 });
    expect(await rows()).toEqual(["i0", "i1", "i2", "i3", "a", mine]);
  });

  it("C25 are marked among equal ones if they have become equal, and not if they are again what they were", async () => {
    const { clock, change, rows, rowList } = await opened(6, { ...byRank, sort: ["state"] });
    expect(await rows()).toEqual(["i1", "i3", "i5", "i0", "i2", "i4"]);
    const marks = async (id: string, state: string) => {
      change(id, { state });
      await clock.advance(50);
      return rowList.get(id)?.mark;
    };
    // By its number it may belong to any place among the others.
    expect(await marks("i5", "New")).toBe("moved");
    expect(await marks("i5", "Active")).toBeNull();
  });

  it.each([40, 100, 300, 345])(
    "C27 end with the last of %i records where the server says only that there are many",
    async (count) => {
      const { rowList, client, clock, rows } = await opened(count);
      const call = client.line.call.bind(client.line);
      const half = { total: count / 2, totalExact: false };
      client.line.call = async (...args: Parameters<typeof call>) => {
        const answer = await call(...args);
        return (args[0] === "query" ? { ...(answer as object), ...half } : answer) as never;
      };
      rowList.realign();
      await clock.advance(100);
      rowList.extendTo(count);
      const last = Math.floor((count - 1) / RUN_ROWS) * RUN_ROWS;
      expect(await rows(last, last + RUN_ROWS)).toHaveLength(count - last);
      expect(rowList.status).toMatchObject({ rowCount: count, totalExact: false });
    },
  );

  it("C27 are none left out because others before them went", async () => {
    const { rowList, clock, remove, change, rows } = await opened(400);
    for (let index = 0; index < 40; index++) remove(`i${index}`);
    for (let index = 40; index < 60; index++) change(`i${index}`, { rank: 1_000 + index });
    await clock.advance(50);
    const shown = [...(await rows(100, 200)), ...(await rows(200, 300))];
    expect(shown).toEqual(Array.from({ length: 200 }, (_, index) => `i${100 + index}`));
    expect(rowList.status).toMatchObject({ displaced: 60, total: 360, rowCount: 400 });
  });

  it("C28 of a search are evaluated by the server, seldom and together", async () => {
    const { rowList, client, clock, change, create } = await opened(20, {
      ...byRank,
      search: "title 1",
    });
    const before = client.line.calls.length;
    change("i10", { title: "Nothing" });
    change("i11", { title: "Title 1 still" });
    change("i2", { title: "Title 1 now" });
    create("x1", { ...record(1), title: "Title 1 new" });
    await clock.advance(IDLE_MS);
    expect(rowList.get("i10")?.mark).toBe("gone");
    expect(rowList.get("i11")?.mark).toBeNull();
    expect(rowList.status).toMatchObject({ waiting: 2, total: 12 });
    expect(client.line.calls.length - before).toBeLessThanOrEqual(3);
  });

  it("C28 are not marked by what the server said of the view before", async () => {
    const { rowList, client, clock, change } = await opened(20, { ...byRank, search: "title 1" });
    answerLate({ client, clock }, 3_000, 1);
    change("i10", { title: "Nothing" });
    await clock.advance(2_000);
    rowList.setView(byRank);
    await clock.advance(IDLE_MS);
    expect(rowList.get("i10")).toMatchObject({ values: { title: "Nothing" }, mark: null });
    expect(rowList.status).toMatchObject({ rowCount: 20, displaced: 0 });
  });

  it("C28 are not counted by what the server counted of the view before", async () => {
    const { rowList, client, clock, change } = await opened(6, newByRank);
    answerLate({ client, clock }, 6_000, 1);
    change("i2", { state: "Active" });
    await clock.advance(6_500);
    rowList.setView(byRank);
    await clock.advance(IDLE_MS);
    expect(rowList.status).toMatchObject({ rowCount: 6, total: 6 });
  });

  it("C29 are bounded, and the visible ones stay", async () => {
    const { rowList, clock, rows } = await opened(ROWS_MAX + 1_000);
    rowList.beginEdit("i3");
    for (let start = 0; start < ROWS_MAX + 1_000; start += RUN_ROWS) {
      rowList.setVisible(start, start + 40);
      await rows(start, start + RUN_ROWS);
    }
    const held = Array.from({ length: rowList.status.rowCount }, (_, row) => rowList.at(row)?.id);
    expect(held.filter(Boolean).length).toBeLessThanOrEqual(ROWS_MAX + 1);
    expect(held.slice(0, 5)).toEqual([undefined, undefined, undefined, "i3", undefined]);
    expect(held.at(-1)).toBe(`i${ROWS_MAX + 999}`);
    await clock.advance(10);
  });

  it("C29 keep the row of the record with the focus", async () => {
    const { rowList, rows } = await opened(ROWS_MAX + 500);
    rowList.setCurrent("i3");
    for (let start = 0; start < ROWS_MAX + 500; start += RUN_ROWS) {
      rowList.setVisible(start, start + 40);
      await rows(start, start + RUN_ROWS);
    }
    expect([2, 3, 4].map((row) => rowList.at(row)?.id)).toEqual([undefined, "i3", undefined]);
  });

  it("C30 keep a record in edit where it is", async () => {
    const { rowList, clock, change, rows } = await opened(6, newByRank);
    rowList.beginEdit("i2");
    change("i2", { state: "Active" });
    await clock.advance(50);
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
    expect(rowList.get("i2")?.mark).toBe("gone");
    rowList.endEdit("i2");
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i4"]);
  });

  it("are others with another view, and the old ones stay until these are there", async () => {
    const { rowList, clock, events, rows } = await opened(6);
    rowList.setView(newByRank);
    expect(rowList.at(1)?.id).toBe("i1");
    await clock.advance(50);
    expect(events).toEqual([{ kind: "reset" }]);
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
    expect(rowList.view).toEqual(newByRank);
  });

  it("are those of the view that was asked for last, whatever happens while they are read", async () => {
    const { rowList, clock, rows } = await opened(6);
    rowList.setView(newByRank);
    // What is begun now, such as a new record, is for the view that the user sees in the toolbar.
    expect(rowList.view).toEqual(newByRank);
    expect(rowList.shownView).toEqual(byRank);
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
  });

  it("are read again by the view asked for after it was refused", async () => {
    const { rowList, clock, rows, server } = await opened(6);
    server.failure = () => ({ code: "rate_limited", message: "Later." });
    rowList.setView(newByRank);
    await clock.advance(50);
    server.failure = () => null;
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
  });

  it("C11 come as soon as the server can read them again, however long it could not", async () => {
    const { rowList, clock, rows, server, session } = await opened(6);
    const outage = { code: "unavailable" as const, message: "" };
    server.failure = (name) => (name === "query" ? outage : null);
    rowList.setView(newByRank);
    await clock.advance(120_000);
    expect(rowList.status.phase).not.toBe("refused");
    expect(rowList.at(1)?.id).toBe("i1");
    server.failure = () => null;
    await clock.advance(IDLE_MS);
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
    expect(session.phase).toBe("live");
  });

  it("C11 are read in smaller pages where the values of one are too large", async () => {
    const { rowList, clock, server } = await opened(60);
    const isRefused = (call: object) => ((call as { limit?: number }).limit ?? 0) > 9;
    server.failure = (name, call) => (name === "query" && isRefused(call) ? tooManyBytes : null);
    rowList.setView(newByRank);
    await clock.advance(IDLE_MS);
    expect(rowList.status.phase).toBe("ready");
    const pendingRows = rowList.getRows(0, 30);
    await clock.advance(IDLE_MS);
    const ids = (await pendingRows).rows.map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 30 }, (_, index) => `i${2 * index}`));
    server.failure = (name) => (name === "query" ? tooManyBytes : null);
    rowList.setView(byRank);
    await clock.advance(IDLE_MS);
    expect(rowList.status).toMatchObject({ phase: "refused", refusal: { code: "too_large" } });
  });

  it("C11 are refused where the server fails on them again and again", async () => {
    const { rowList, clock, server } = await opened(2);
    server.failure = (name) => (name === "query" ? { code: "internal", message: "" } : null);
    rowList.setView(newByRank);
    await clock.advance(300);
    expect(rowList.status.phase).not.toBe("refused");
    await clock.advance(60_000);
    expect(rowList.status).toMatchObject({ phase: "refused", refusal: { code: "internal" } });
  });

  it("say why they can't be read, and are read again on request", async () => {
    const { rowList, clock, rows, server } = await opened(6);
    const slow = { code: "query_timeout" as const, message: "" };
    server.failure = (name) => (name === "query" ? slow : null);
    rowList.setView(newByRank);
    await clock.advance(50);
    expect(rowList.status).toMatchObject({ phase: "refused", refusal: { code: "query_timeout" } });
    server.failure = () => null;
    rowList.realign();
    expect(rowList.status).toMatchObject({ phase: "loading", refusal: null });
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
    expect(rowList.status.phase).toBe("ready");
  });

  it.each([
    ["its rights or its model may have changed", "model"],
    ["the table is followed again", "line"],
  ])("C11 that were refused are read again when %s", async (_, what) => {
    const { client, rowList, clock, rows, server } = await opened(6);
    server.failure = (name) => (name === "query" ? { code: "not_found", message: "" } : null);
    rowList.setView(newByRank);
    await clock.advance(50);
    expect(rowList.status.phase).toBe("refused");
    server.failure = () => null;
    if (what === "model") client.line.send("model", { version: 2 });
    else client.line.cut();
    await clock.advance(IDLE_MS);
    expect(rowList.status).toMatchObject({ phase: "ready", rowCount: 3, refusal: null });
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
  });

  it("C11 are read again also where it hears that its rights may have changed together with the refusal", async () => {
    const { client, rowList, clock, rows, server } = await opened(6);
    server.failure = (name) => (name === "query" ? { code: "not_found", message: "" } : null);
    const call = client.line.call.bind(client.line);
    client.line.call = (...args) =>
      call(...args).catch(async (refusal: unknown) => {
        server.failure = () => null;
        client.line.send("model", { version: 2 });
        await new Promise<void>((resolve) => clock.after(10, resolve));
        throw refusal;
      });
    rowList.setView(newByRank);
    await clock.advance(IDLE_MS);
    expect(rowList.status).toMatchObject({ phase: "ready", refusal: null });
    expect(await rows()).toEqual(["i0", "i2", "i4"]);
  });

  it("C11 are counted by one question at a time while the server is in trouble", async () => {
    const { rowList, clock, client, change, server } = await opened(6, newByRank);
    const counts = () =>
      client.line.calls.filter(
        ({ name, call }) => name === "query" && (call as { limit?: number }).limit === 0,
      ).length;
    server.failure = (name) => (name === "query" ? { code: "unavailable", message: "" } : null);
    for (let round = 0; round < 20; round++) {
      change("i1", { state: round % 2 ? "Active" : "New" });
      await clock.advance(10_000);
    }
    const asked = counts();
    await clock.advance(100_000);
    // Each try waits up to ten seconds, and on average half of that.
    expect(counts() - asked).toBeLessThan(40);
    server.failure = () => null;
    await clock.advance(IDLE_MS);
    expect(rowList.status.total).toBe(3);
  });

  it("C25 are put in order once, by the server, where the browser finds another order", async () => {
    const titles = ["Zebra", "apple", "mango"];
    const byTitle: ViewQuery = { ...byRank, sort: ["title"] };
    const make = (index: number) => ({ ...record(index), title: titles[index] ?? "" });
    const { rowList, server, clock, change, create, rows } = await opened(0, byTitle);
    // As if another version of ICU sorted: upper case first.
    server.incidents.textOrder = null;
    for (const index of titles.keys()) create(`i${index}`, make(index));
    await clock.advance(50);
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i1", "i2"]);
    // Nothing that decides a place has changed.
    change("i1", { state: "Closed", rank: 9 });
    change("i0", { rank: 7 });
    await clock.advance(50);
    expect(rowList.status.displaced).toBe(0);
    change("i1", { title: "banana" });
    await clock.advance(50);
    expect(rowList.get("i1")?.mark).toBe("moved");
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i0", "i1", "i2"]);
    change("i1", { rank: 11 });
    await clock.advance(50);
    expect(rowList.status).toMatchObject({ displaced: 0, waiting: 0 });
  });

  it("C25 move with what they link to by its label, where they are sorted by it, and not by its id", async () => {
    const system = fakeSystem();
    const { clock, server, change } = system;
    const names = new Map(Object.entries({ s1: "Zebra", s2: "apple", s3: "Mango", s5: "Melon" }));
    server.incidents.labels = { state: (id) => names.get(id) };
    const links = ["s2", "s3", "s1"];
    system.seed(3, (index) => ({ ...record(index), state: links[index] ?? "" }));
    const client = system.client();
    const [table] = fakeModel.tables as [Table];
    const fields = table.fields.map(
      (field): Field =>
        field.name === "state" ? { ...field, type: "link", target: "services" } : field,
    );
    client.setVisibleModel({ ...fakeModel, tables: [{ ...table, fields }] });
    const session = client.core.openTable("incidents");
    const rowList = session.openRowList({ ...byRank, sort: ["state"] });
    client.core.start();
    await clock.advance(100);
    const rows = async () => {
      const read = rowList.getRows(0, 10);
      await clock.advance(20);
      return (await read).rows.map(({ id }) => id);
    };
    expect(await rows()).toEqual(["i0", "i1", "i2"]);
    const marks = async (id: string, state: string) => {
      change(id, { state });
      await clock.advance(50);
      return rowList.get(id)?.mark;
    };
    // Behind Zebra by its id.
    expect(await marks("i1", "s5")).toBeNull();
    expect(await marks("i0", "s3")).toBeNull();
    expect(await marks("i0", "s1")).toBe("moved");
    // Of which no label is known.
    expect(await marks("i1", "s6")).toBe("moved");
    names.set("s6", "Aardvark");
    rowList.realign();
    await clock.advance(50);
    expect(await rows()).toEqual(["i1", "i0", "i2"]);
    expect(rowList.status).toMatchObject({ displaced: 0, waiting: 0 });
  });

  it("C26 follow the clock where the filter names the time: they leave the view, and others wait", async () => {
    const second = (at: number) => `2026-11-21T04:00:${at}.000Z`;
    const titles = { i0: second(50), i1: "Always", i2: second(20), i3: "Always" };
    const values = Object.values(titles);
    const view = (op: "gt" | "lt"): ViewQuery => ({
      ...byRank,
      filter: { field: "title", op, value: "$now" },
    });
    const leaving = await opened(4, view("gt"), (index) => ({
      ...record(index),
      title: values[index] ?? "",
    }));
    expect(await leaving.rows()).toEqual(["i0", "i1", "i2", "i3"]);
    await leaving.clock.advance(31_000);
    expect(leaving.rowList.get("i2")?.mark).toBe("gone");
    expect(leaving.rowList.status).toMatchObject({ displaced: 1, total: 3 });
    const coming = await opened(4, view("lt"), (index) => ({
      ...record(index),
      title: values[index] ?? "",
    }));
    expect(await coming.rows()).toEqual([]);
    await coming.clock.advance(31_000 + IDLE_MS);
    expect(coming.rowList.status).toMatchObject({ waiting: 1, total: 1 });
    coming.rowList.realign();
    await coming.clock.advance(50);
    expect(await coming.rows()).toEqual(["i2"]);
    expect(coming.rowList.status).toMatchObject({ waiting: 0, rowCount: 1, total: 1 });
  });

  it.each([60, 600])(
    "C26 come in by time alone while as many leave: each of %i that is due, also by a browser whose clock is wrong",
    async (records) => {
      const minute = 60_000;
      for (const aheadMs of [0, -2 * minute, 3 * minute]) {
        const system = fakeSystem();
        const { clock } = system;
        const start = clock.now();
        // One becomes due in each minute, and is not shown any more half an hour later.
        const due = (index: number) => new Date(start + (index - 30) * minute).toISOString();
        system.seed(records, (index) => ({ ...record(index), title: due(index) }));
        const filter = {
          and: [
            { field: "title", op: "lt" as const, value: "$now" },
            { field: "title", op: "gte" as const, value: { ago: "30m" } },
          ],
        };
        const client = system.client("ann", undefined, undefined, aheadMs);
        const rowList = client.core.openTable("incidents").openRowList({ ...byRank, filter });
        client.core.start();
        await clock.advance(100);
        const rows = async () => {
          const read = rowList.getRows(0, 100);
          await clock.advance(20);
          return (await read).rows.map(({ id }) => id);
        };
        const first = await rows();
        expect(first).toHaveLength(30);
        await clock.advance(10.75 * minute);
        expect(rowList.status).toMatchObject({ waiting: 10, displaced: 10, total: 30 });
        rowList.realign();
        await clock.advance(50);
        const ids = Array.from({ length: 30 }, (_, index) => `i${index + 11}`);
        expect(await rows()).toEqual(ids);
        expect(rowList.status).toMatchObject({ waiting: 0, displaced: 0, rowCount: 30 });
      }
    },
  );

  it.each(["other rows are there", "the view is closed"])(
    "C14 let go of records that arrive when %s",
    async (when) => {
      const { rowList, session, clock, client } = await opened(400);
      answerLate({ client, clock }, 500, 1);
      const late = rowList.getRows(200, 300).catch(() => null);
      await clock.advance(100);
      if (when === "the view is closed") rowList.close();
      else rowList.setView({ ...newByRank, sort: ["-rank"] });
      await clock.advance(IDLE_MS);
      await late;
      expect(session.get("i251")).toBeUndefined();
      if (when === "other rows are there") expect(rowList.status.rowCount).toBe(200);
    },
  );

  it("C14 let go of their records when the view and the table are closed", async () => {
    const { rowList, session, clock, change } = await opened(50);
    const held = session.hold("i7");
    await clock.advance(20);
    await held;
    rowList.close();
    expect(session.get("i7")?.id).toBe("i7");
    expect(session.get("i8")).toBeUndefined();
    session.release("i7");
    expect(session.get("i7")).toBeUndefined();
    change("i7", { title: "Nobody looks" });
    await clock.advance(50);
    expect(session.get("i7")).toBeUndefined();
  });
});
