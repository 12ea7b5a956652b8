import { describe, expect, it } from "vitest";
import type { RecordView } from "../../../state/record-view.ts";
import { planPaste } from "../actions/paste-range.ts";
import { RangeModel } from "./range-model.ts";

const columns = ["title", "state", "cost", "due"];

function view(id: string): RecordView {
  return {
    id,
    values: { title: id },
    confirmed: null,
    version: "e.1",
    cells: {},
    pending: null,
    problem: null,
    mark: null,
  };
}

/** Rows of a row list: `null` is a row that is not read. */
function grid(first: (string | null)[]) {
  let rows = first;
  let shownColumns = columns;
  const absent = new Set<string>();
  const held = new Map<string, number>();
  const count = (record: string, by: number) => held.set(record, (held.get(record) ?? 0) + by);
  const range = new RangeModel({
    get columns() {
      return shownColumns;
    },
    above: 0,
    at: (row) => {
      const id = rows[row];
      return typeof id === "string" ? view(id) : undefined;
    },
    loadedRows: (top, bottom) => {
      const all = rows.map((_, row) => row);
      return all.filter((row) => row >= top && row <= bottom && typeof rows[row] === "string");
    },
    rowOf: (record) => rows.indexOf(record),
    currentId: (record) => record,
    belongs: (record) => !absent.has(record),
    retain: (record) => count(record, 1),
    release: (record) => count(record, -1),
  });
  return {
    range,
    at: (row: number) => rows[row],
    show: (next: (string | null)[]) => {
      rows = next;
    },
    showColumns: (names: string[]) => {
      shownColumns = names;
    },
    leave: (record: string) => absent.add(record),
    heldRecords: () => [...held].filter(([, holders]) => holders > 0).map(([id]) => id),
  };
}

it("looks at the rows that are read, and at no other of a million", () => {
  let looks = 0;
  const held = [0, 1, 999_999];
  const range = new RangeModel({
    columns,
    above: 0,
    at: (row) => {
      looks += 1;
      return held.includes(row) ? view(`i${row}`) : undefined;
    },
    loadedRows: () => held,
    rowOf: (record) => Number(record.slice(1)),
    currentId: (record) => record,
    belongs: () => true,
    retain: () => {},
    release: () => {},
  });
  range.select({ anchor: { row: 0, column: 0 }, head: { row: 999_999, column: 0 } });
  range.extendTo({ row: 999_999, column: 1 });
  expect(range.size).toMatchObject({ rows: 1_000_000, unread: 999_997 });
  expect(range.parts[0]?.records).toEqual(["i0", "i1", "i999999"]);
  expect(looks).toBeLessThan(50);
});

const rectangle = (top: number, left: number, bottom: number, right: number) => ({
  anchor: { row: top, column: left },
  head: { row: bottom, column: right },
});

describe("a range", () => {
  it("keeps its records and fields when the rows move", () => {
    const { range, show } = grid(["a", "b", "c", "d"]);
    range.select(rectangle(1, 0, 2, 1));
    show(["c", "d", "a", "b"]);
    range.realign();
    expect(range.parts[0]?.records).toEqual(["c", "b"]);
    expect(range.has("b", "state")).toBe(true);
    expect(range.has("d", "state")).toBe(false);
    expect(range.has("b", "cost")).toBe(false);
    expect(range.size).toMatchObject({ rows: 2, cells: 4, left: 0 });
  });

  it("loses a part that is taken away exactly, and never its only one", () => {
    const { range, heldRecords } = grid(["a", "b", "c"]);
    range.select(rectangle(0, 0, 0, 1));
    range.select(rectangle(2, 0, 2, 1), { add: true });
    expect(range.deselect(rectangle(2, 0, 2, 0))).toBeNull();
    expect(range.deselect(rectangle(0, 0, 0, 1))).toEqual({ row: 2, column: 0 });
    expect(range.parts.map(({ records }) => records)).toEqual([["c"]]);
    expect(heldRecords()).toEqual(["c"]);
    expect(range.deselect(rectangle(2, 0, 2, 1))).toBeNull();
    range.extendTo({ row: 1, column: 1 });
    expect(range.parts[0]?.records).toEqual(["b", "c"]);
  });

  it("has a part once that is added twice", () => {
    const { range, heldRecords } = grid(["a", "b"]);
    range.select(rectangle(0, 0, 0, 0));
    range.select(rectangle(0, 0, 0, 0), { add: true });
    expect(range.size).toMatchObject({ rows: 1, cells: 1 });
    expect(range.isShown).toBe(false);
    range.clear();
    expect(heldRecords()).toEqual([]);
  });

  it("leaves out a column while it is hidden", () => {
    const { range, showColumns } = grid(["a", "b"]);
    range.select(rectangle(0, 0, 1, 2));
    showColumns(["title", "cost", "due"]);
    expect(range.parts[0]?.fields).toEqual(["title", "cost"]);
    expect(range.size.cells).toBe(4);
    showColumns(columns);
    expect(range.size.cells).toBe(6);
  });

  it("loses a record that leaves the view, and counts it", () => {
    const { range, show, leave, heldRecords } = grid(["a", "b", "c"]);
    range.select(rectangle(0, 0, 2, 0));
    leave("b");
    show(["a", "c", "x"]);
    range.realign();
    range.update(new Set(["c"]), () => true);
    expect(range.parts[0]?.records).toEqual(["a"]);
    expect(range.size).toMatchObject({ cells: 1, left: 2 });
    expect(heldRecords()).toEqual(["a"]);
  });

  it("keeps a record whose row is only not read any more", () => {
    const { range, show } = grid(["a", "b"]);
    range.select(rectangle(0, 0, 1, 0));
    show([null, null, "x"]);
    range.realign();
    expect(range.parts[0]?.records).toEqual(["a", "b"]);
  });

  it("keeps the order of its rows where only some of them are still loaded", () => {
    const { range, show } = grid(["a", null, null, "d"]);
    range.select(rectangle(0, 0, 3, 0));
    show([null, "b", "c", null]);
    range.has("b", "title");
    range.has("c", "title");
    expect(range.parts[0]?.records).toEqual(["a", "b", "c", "d"]);
    show(["d", "c", "b", "a"]);
    range.realign();
    show(["d", null, null, null]);
    expect(range.parts[0]?.records).toEqual(["d", "c", "b", "a"]);
  });

  it("takes in a row that is read later, but not after rows have moved", () => {
    const { range, show } = grid(["a", null, null, "d"]);
    range.select(rectangle(0, 0, 3, 0));
    expect(range.size).toMatchObject({ rows: 4, unread: 2 });
    show(["a", "b", null, "d"]);
    expect(range.has("b", "title")).toBe(true);
    expect(range.size).toMatchObject({ rows: 4, unread: 1 });
    show(["a", "b", "x", "d"]);
    range.realign();
    expect(range.has("x", "title")).toBe(false);
    expect(range.size).toMatchObject({ rows: 3, unread: 0, left: 1 });
    expect(range.parts[0]?.isBroken).toBe(true);
  });

  it("counts each record once, also those that are not read yet", () => {
    const { range } = grid(["a", "b", null, null]);
    range.select(rectangle(0, 0, 3, 0));
    range.select(rectangle(1, 1, 1, 2), { add: true });
    expect(range.recordCount).toBe(4);
  });

  it("is extended from its first cell, wherever that is now", () => {
    const { range, show } = grid(["a", "b", "c", "d"]);
    range.selectCell({ row: 1, column: 1 });
    show(["b", "a", "c", "d"]);
    range.realign();
    range.extendTo({ row: 2, column: 0 });
    expect(range.parts[0]?.records).toEqual(["b", "a", "c"]);
    expect(range.parts[0]?.fields).toEqual(["title", "state"]);
  });

  it("follows the focus to another cell, but not to another row of the same record", () => {
    const { range, show } = grid(["a", "b", "c"]);
    range.followFocus({ row: 0, column: 0 });
    range.extendTo({ row: 1, column: 3 });
    range.select(rectangle(0, 0, 1, 3));
    show(["c", "a", "b"]);
    range.realign();
    range.followFocus({ row: 1, column: 0 });
    expect(range.size.cells).toBe(8);
    range.followFocus({ row: 2, column: 0 });
    expect(range.size.cells).toBe(1);
  });

  it("is what remains of it where its first record leaves", () => {
    const { range, show, leave } = grid(["a", "b", "c"]);
    range.select(rectangle(0, 1, 2, 2));
    leave("a");
    show(["b", "c"]);
    range.realign();
    expect(range.range).toEqual(rectangle(0, 1, 1, 2));
  });

  it("may have several parts, and an action keeps the one that it began with", () => {
    const { range, heldRecords } = grid(["a", "b", "c"]);
    range.selectCell({ row: 0, column: 0 });
    range.select(rectangle(2, 1, 2, 2), { add: true });
    expect(range.size).toMatchObject({ rows: 2, cells: 3 });
    const [first] = range.parts;
    first?.hold();
    range.clear();
    expect(heldRecords()).toEqual(["a"]);
    if (first) range.release(first);
    expect(heldRecords()).toEqual([]);
  });
});

describe("Tab and Enter in a range", () => {
  const tab = { along: "row", step: 1 } as const;
  const enter = { along: "column", step: 1 } as const;
  const back = { along: "row", step: -1 } as const;

  /** The cells to which the same key moves the focus, as record and field. */
  function walk(
    { range, at }: Pick<ReturnType<typeof grid>, "range" | "at">,
    by: Parameters<RangeModel["traverse"]>[1],
    from: { row: number; column: number },
    count: number,
  ) {
    let cell = from;
    return Array.from({ length: count }, () => {
      cell = range.traverse(cell, by) ?? cell;
      range.followFocus(cell);
      return `${at(cell.row)} ${columns[cell.column]}`;
    });
  }

  it("move the focus by rows or by columns, around the range, and leave it as it is", () => {
    const fake = grid(["a", "b", "c"]);
    fake.range.select(rectangle(0, 0, 1, 1));
    const start = { row: 0, column: 0 };
    expect(walk(fake, tab, start, 4)).toEqual(["a state", "b title", "b state", "a title"]);
    expect(walk(fake, enter, start, 4)).toEqual(["b title", "a state", "b state", "a title"]);
    expect(walk(fake, back, start, 2)).toEqual(["b state", "b title"]);
    expect(fake.range.size.cells).toBe(4);
  });

  it("follow the new order of the records when the rows have moved", () => {
    const fake = grid(["a", "b", "c", "d"]);
    fake.range.select(rectangle(0, 0, 2, 0));
    expect(walk(fake, enter, { row: 0, column: 0 }, 1)).toEqual(["b title"]);
    fake.show(["c", "d", "b", "a"]);
    fake.range.realign();
    expect(walk(fake, enter, { row: 2, column: 0 }, 3)).toEqual(["a title", "c title", "b title"]);
  });

  it("move the focus within several parts in turn, also where a cell is in two of them", () => {
    const fake = grid(["a", "b", "c"]);
    fake.range.select(rectangle(0, 0, 1, 0));
    fake.range.select(rectangle(1, 0, 1, 1), { add: true });
    const turn = ["b state", "a title", "b title", "b title"];
    expect(walk(fake, tab, { row: 1, column: 0 }, 8)).toEqual([...turn, ...turn]);
  });

  it("lead into rows that are not read yet", () => {
    const fake = grid(["a", null, "c"]);
    fake.range.select(rectangle(0, 0, 2, 0));
    expect(fake.range.traverse({ row: 0, column: 0 }, enter)).toEqual({ row: 1, column: 0 });
    fake.range.followFocus({ row: 1, column: 0 });
    fake.show(["a", "b", "c"]);
    fake.range.followFocus({ row: 1, column: 0 });
    expect(walk(fake, enter, { row: 1, column: 0 }, 2)).toEqual(["c title", "a title"]);
    expect(fake.range.size.rows).toBe(3);
  });

  it("skip records whose rows are not known any more", () => {
    const fake = grid(["a", "b", "c"]);
    fake.range.select(rectangle(0, 0, 2, 0));
    fake.show(["a", "x", "c"]);
    fake.range.realign();
    expect(walk(fake, enter, { row: 0, column: 0 }, 2)).toEqual(["c title", "a title"]);
  });

  it("go to the range from a record that has been deleted, and nowhere within one cell", () => {
    const fake = grid(["a", "b", "c"]);
    fake.range.select(rectangle(0, 0, 2, 0));
    fake.range.update(new Set(["b"]), () => true);
    expect(walk(fake, enter, { row: 1, column: 0 }, 1)).toEqual(["a title"]);
    fake.range.selectCell({ row: 0, column: 0 });
    expect(fake.range.traverse({ row: 0, column: 0 }, enter)).toBeNull();
  });
});

describe("a run of Tabs", () => {
  it("remembers the field where it began, until the focus goes elsewhere", () => {
    const { range } = grid(["a", "b"]);
    range.selectCell({ row: 0, column: 1 });
    range.tab({ row: 0, column: 1 }, { row: 0, column: 2 });
    range.followFocus({ row: 0, column: 2 });
    range.tab({ row: 0, column: 2 }, { row: 0, column: 3 });
    expect(range.tabStart).toBe("state");
    range.followFocus({ row: 0, column: 2 });
    range.followFocus({ row: 0, column: 3 });
    expect(range.tabStart).toBeNull();
  });

  it("ends when Shift and Tab lead back before its beginning", () => {
    const { range } = grid(["a"]);
    range.tab({ row: 0, column: 1 }, { row: 0, column: 2 });
    range.tab({ row: 0, column: 2 }, { row: 0, column: 1 });
    range.tab({ row: 0, column: 1 }, { row: 0, column: 0 });
    expect(range.tabStart).toBeNull();
  });

  it("goes on when its row has moved", () => {
    const { range, show } = grid(["a", "b"]);
    range.tab({ row: 0, column: 0 }, { row: 0, column: 1 });
    show(["b", "a"]);
    range.realign();
    range.followFocus({ row: 1, column: 1 });
    expect(range.tabStart).toBe("title");
  });
});

describe("a pasted block", () => {
  it("of one cell fills everything that is selected", () => {
    const { placements, fills } = planPaste([["x"]], { rows: 2, columns: 2 });
    expect(fills).toBe(true);
    expect([...placements].map(({ row, column, item }) => [row, column, item])).toEqual([
      [0, 0, "x"],
      [0, 1, "x"],
      [1, 0, "x"],
      [1, 1, "x"],
    ]);
  });

  it("that does not divide the selection goes in once from its corner", () => {
    const plan = planPaste([["a", "b"], ["c"]], { rows: 3, columns: 1 });
    expect(plan).toMatchObject({ fills: false, rows: 2, columns: 2 });
    expect([...plan.placements].map(({ item }) => item)).toEqual(["a", "b", "c"]);
  });

  it("of one cell is not repeated for a selection of millions before its size is checked", () => {
    let reads = 0;
    const row = new Proxy(["x"], {
      get(cells, key) {
        if (key === "0") reads += 1;
        return Reflect.get(cells, key);
      },
    });
    planPaste([row], { rows: 20_000, columns: 1 });
    expect(reads).toBe(0);
  });
});
