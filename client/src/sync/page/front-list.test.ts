import { afterEach, expect, test, vi } from "vitest";
import { createAtom } from "../../state/atom-store.ts";
import type { RecordView } from "../../state/record-view.ts";
import type { RowList, RowListStatus } from "../rows/row-list.ts";
import {
  hasNeighbour,
  neighbourOf,
  onFrontChange,
  setFrontRecords,
  setFrontRowList,
} from "./front-list.ts";

const leave: (() => void)[] = [];
afterEach(() => {
  for (const stop of leave.splice(0)) stop();
});

const view = (id: string) => ({ id }) as RecordView;

/** A row list on three rows, of which the first two are loaded, and a new record above them. */
function createRowList(): RowList {
  const all = ["a", "b", "c"];
  const loaded = all.slice(0, 2);
  const status = { phase: "ready", rowCount: all.length } as RowListStatus;
  const some: Partial<RowList> = {
    created: [view("new")],
    status,
    statusAtom: createAtom(status),
    indexOf: (id) => loaded.indexOf(id),
    at: (index) => (loaded[index] === undefined ? undefined : view(loaded[index])),
    getRows: async (start, end) => ({
      rows: all.slice(start, end).map(view),
      rowCount: all.length,
    }),
    onRows: () => () => {},
  };
  return some as RowList;
}

test("steps through the new records and the rows of a list, and reads a row that is not loaded", async () => {
  leave.push(setFrontRowList("incidents", createRowList()));
  expect(await neighbourOf("incidents", "new", 1)).toBe("a");
  expect(await neighbourOf("incidents", "a", -1)).toBe("new");
  expect(await neighbourOf("incidents", "b", 1)).toBe("c");
  expect(hasNeighbour("incidents", "b", 1)).toBe(true);
});

test("has no neighbours for a record without a row, at the ends, and for another table", async () => {
  leave.push(setFrontRowList("incidents", createRowList()));
  for (const [table, record, step] of [
    ["incidents", "elsewhere", 1],
    ["incidents", "elsewhere", -1],
    ["incidents", "new", -1],
    ["groups", "a", 1],
  ] as const) {
    expect(hasNeighbour(table, record, step)).toBe(false);
    expect(await neighbourOf(table, record, step)).toBeNull();
  }
});

test("goes on with the next list where the one before leaves after it", () => {
  const leaveFirst = setFrontRecords(
    "incidents",
    () => ["x"],
    () => () => {},
  );
  leave.push(setFrontRowList("incidents", createRowList()));
  leaveFirst();
  expect(hasNeighbour("incidents", "b", 1)).toBe(true);
});

test("calls back when the list changes, and when there is another one", () => {
  const listener = vi.fn();
  leave.push(onFrontChange(listener));
  let notify = () => {};
  const onChange = (call: () => void) => {
    notify = call;
    return () => {
      notify = () => {};
    };
  };
  const stop = setFrontRecords("incidents", () => ["a"], onChange);
  expect(listener).toHaveBeenCalledTimes(1);
  notify();
  expect(listener).toHaveBeenCalledTimes(2);
  stop();
  expect(listener).toHaveBeenCalledTimes(3);
  notify();
  expect(listener).toHaveBeenCalledTimes(3);
});
