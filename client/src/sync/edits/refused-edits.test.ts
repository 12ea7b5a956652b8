import { describe, expect, it } from "vitest";
import type { CellState } from "../../state/record-view.ts";
import { type FakeClient, fakeSystem, IDLE_MS } from "../testing/fake-system.ts";

const byRank = { filter: null, sort: ["rank"], search: "" };

async function opened() {
  const system = fakeSystem();
  system.seed(5);
  const client = system.client();
  const session = client.core.openTable("incidents");
  const rowList = session.openRowList(byRank);
  client.core.start();
  await system.clock.advance(100);
  const title = (id: string) => system.server.incidents.records.get(id)?.values.title;
  return { ...system, client, session, rowList, title };
}

function edit(client: FakeClient, title: string, base: string, more: object = {}) {
  return client.core.edits.edit("incidents", {
    record: "i1",
    set: { title, ...more },
    base: { title: base, rank: 1 },
  });
}

/** Bob was faster: my edit of the same cell meets a conflict. */
async function conflicted(more: object = {}) {
  const system = await opened();
  system.change("i1", { title: "Theirs" });
  const submitted = edit(system.client, "Mine", "Title 1", more);
  await system.clock.advance(100);
  const cell = system.rowList.get("i1")?.cells.title as Extract<CellState, { kind: "conflict" }>;
  return { ...system, taken: submitted, cell };
}

describe("a conflict", () => {
  it("C21 shows base, mine and theirs with its author", async () => {
    const { cell, taken: submitted, client, title, rowList } = await conflicted();
    expect(cell).toMatchObject({
      base: "Title 1",
      mine: "Mine",
      theirs: "Theirs",
      kind: "conflict",
    });
    expect(await submitted.outcome).toMatchObject({ kind: "refused", code: "conflict" });
    expect(rowList.get("i1")?.values.title).toBe("Theirs");
    expect(title("i1")).toBe("Theirs");
    expect(client.counts().conflicts).toBe(1);
  });

  it("C21 keeps theirs current, with its author", async () => {
    const { change, clock, rowList } = await conflicted();
    change("i1", { title: "Newer" });
    await clock.advance(100);
    expect(rowList.get("i1")?.cells.title).toMatchObject({ theirs: "Newer", by: { name: "psql" } });
  });

  it("C21 ends in a field when somebody else writes mine into it, also in storage", async () => {
    const { change, client, clock, rowList } = await conflicted();
    change("i1", { state: "Mine" });
    await clock.advance(100);
    expect(client.counts().conflicts).toBe(1);
    change("i1", { title: "Mine" });
    await clock.advance(100);
    expect(rowList.get("i1")).toMatchObject({ values: { title: "Mine" }, cells: {} });
    expect(client.counts().conflicts).toBe(0);
    expect(await client.storage.load("ann")).toEqual([]);
  });

  it("C21 stays where mine was written before theirs, by a change that its answer has overtaken", async () => {
    const { change, client, clock, rowList } = await opened();
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    change("i1", { title: "Mine" });
    change("i1", { title: "Theirs" });
    edit(client, "Mine", "Title 1");
    await clock.advance(100);
    const conflict = { kind: "conflict", mine: "Mine", theirs: "Theirs" };
    expect(client.counts().conflicts).toBe(1);
    client.line.faults = { ...client.line.faults, dropMessage: 0 };
    await clock.advance(IDLE_MS);
    expect(rowList.get("i1")?.values.title).toBe("Theirs");
    expect(rowList.get("i1")?.cells.title).toMatchObject(conflict);
    expect(client.counts().conflicts).toBe(1);
  });

  it("C21 sends the fields that did not clash again by themselves", async () => {
    const { server, rowList, clock } = await conflicted({ rank: 77 });
    await clock.advance(1_000);
    expect(server.incidents.records.get("i1")?.values).toMatchObject({ title: "Theirs", rank: 77 });
    expect(Object.keys(rowList.get("i1")?.cells ?? {})).toEqual(["title"]);
  });

  it("C21 resolved as mine overwrites the value that was shown", async () => {
    const { client, cell, clock, title } = await conflicted();
    client.core.edits.resolve(cell.edit, "title", "mine");
    await clock.advance(100);
    expect(title("i1")).toBe("Mine");
    expect(client.counts().conflicts).toBe(0);
  });

  it("C21 resolved as mine conflicts again when theirs has changed unseen", async () => {
    const { client, cell, clock, title, change, rowList } = await conflicted();
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    change("i1", { title: "Unseen" });
    client.core.edits.resolve(cell.edit, "title", "mine");
    client.line.faults = { ...client.line.faults, dropMessage: 0 };
    await clock.advance(IDLE_MS);
    expect(title("i1")).toBe("Unseen");
    expect(rowList.get("i1")?.cells.title).toMatchObject({ kind: "conflict", theirs: "Unseen" });
  });

  it("C21 resolved as mine conflicts again when theirs has changed before the screen showed it", async () => {
    const { client, cell, clock, title, change, rowList } = await conflicted();
    change("i1", { title: "Newer" });
    await clock.advance(100);
    client.core.edits.resolve(cell.edit, "title", "mine", cell.theirs);
    await clock.advance(IDLE_MS);
    expect(title("i1")).toBe("Newer");
    expect(rowList.get("i1")?.cells.title).toMatchObject({ kind: "conflict", theirs: "Newer" });
  });

  it("C21 resolved as theirs deletes mine, also from storage", async () => {
    const { client, cell, clock, rowList, title } = await conflicted();
    client.core.edits.resolve(cell.edit, "title", "theirs");
    await clock.advance(100);
    expect(title("i1")).toBe("Theirs");
    expect(rowList.get("i1")?.cells).toEqual({});
    expect(await client.storage.load("ann")).toEqual([]);
  });

  it("C21 survives a reload, still to be decided", async () => {
    const { client, clock, reload } = await conflicted();
    const again = await reload(client);
    const rowList = again.core.openTable("incidents").openRowList(byRank);
    again.core.start();
    await clock.advance(100);
    expect(again.counts()).toEqual({ waiting: 0, conflicts: 1, rejected: 0 });
    const cell = rowList.get("i1")?.cells.title;
    expect(cell).toMatchObject({ kind: "conflict", mine: "Mine", theirs: "Theirs" });
  });
});

describe("a rejected edit", () => {
  it("C22 shows why, and the confirmed value", async () => {
    const { client, clock, rowList } = await opened();
    edit(client, "invalid", "Title 1");
    await clock.advance(100);
    expect(rowList.get("i1")).toMatchObject({
      values: { title: "Title 1" },
      cells: { title: { kind: "rejected", mine: "invalid", message: "Not that." } },
    });
  });

  it("C22 is retried as a new mutation, or dropped", async () => {
    const { client, clock, rowList } = await opened();
    const { refs } = edit(client, "invalid", "Title 1");
    await clock.advance(100);
    client.core.edits.retry(refs[0] as (typeof refs)[0]);
    expect(rowList.get("i1")?.cells.title?.kind).toBe("pending");
    await clock.advance(100);
    const cell = rowList.get("i1")?.cells.title;
    expect(cell?.kind).toBe("rejected");
    expect(cell?.edit.mutation).not.toBe(refs[0]?.mutation);
    if (cell) client.core.edits.drop(cell.edit);
    expect(rowList.get("i1")?.cells).toEqual({});
    await clock.advance(10);
    expect(client.counts().rejected).toBe(0);
    expect(await client.storage.load("ann")).toEqual([]);
  });

  it("C22 gives way to a new edit of the same cell", async () => {
    const { client, clock, rowList, title } = await opened();
    edit(client, "invalid", "Title 1");
    await clock.advance(100);
    edit(client, "Better", "Title 1");
    expect(rowList.get("i1")?.cells.title?.kind).toBe("pending");
    await clock.advance(100);
    expect(title("i1")).toBe("Better");
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 0 });
  });

  it("C22 gives way to an edit that I made before I knew, which keeps its base", async () => {
    const { client, clock, title } = await opened();
    edit(client, "invalid", "Title 1");
    const second = edit(client, "Better", "invalid");
    await clock.advance(100);
    expect(await second.outcome).toMatchObject({ kind: "confirmed" });
    expect(title("i1")).toBe("Better");
    expect(client.counts().rejected).toBe(0);
  });

  it("C22 of a create keeps its record on the screen, with the reason", async () => {
    const { client, clock, rowList } = await opened();
    client.core.edits.create("incidents", { title: "Twice" }, "i2");
    const made = client.core.edits.create("incidents", { title: "Fresh" });
    await clock.advance(100);
    expect(rowList.get("i2")?.problem).toMatchObject({ code: "duplicate" });
    expect(rowList.get(made.record)?.problem).toBeNull();
  });
});

describe("many ops", () => {
  it("C23 are split as the limits ask for, and each has its outcome", async () => {
    const { client, clock } = await opened();
    const edits = Array.from({ length: 2_500 }, (_, index) => ({
      record: index === 7 ? "i1" : `none-${index}`,
      set: { title: `T${index}` },
      base: { title: "Title 1" },
    }));
    const submitted = client.core.edits.editMany("incidents", edits);
    await clock.advance(2_000);
    const sizes = client.line.calls
      .filter(({ name }) => name === "mutate")
      .map(({ call }) => (call as { ops: unknown[] }).ops.length);
    expect(sizes).toEqual([1_000, 1_000, 500]);
    const outcomes = await submitted.outcomes;
    expect(outcomes.filter(({ kind }) => kind === "confirmed")).toHaveLength(1);
    expect(outcomes[7]).toMatchObject({ kind: "confirmed", record: "i1" });
    expect(outcomes[8]).toMatchObject({ kind: "refused", code: "not_found" });
  });

  it("C23 are split by their size, too", async () => {
    const { client, clock } = await opened();
    const edits = Array.from({ length: 30 }, (_, index) => ({
      record: `none-${index}`,
      set: { title: "x".repeat(40_000) },
      base: {},
    }));
    client.core.edits.editMany("incidents", edits);
    await clock.advance(1_000);
    const calls = client.line.calls.filter(({ name }) => name === "mutate");
    expect(calls.length).toBeGreaterThan(1);
    for (const { call } of calls) expect(JSON.stringify(call).length).toBeLessThan(600_000);
  });
});
