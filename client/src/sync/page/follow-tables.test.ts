import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { store } from "../../state/store.ts";
import { closedTable, tableAtom } from "../../state/table-state.ts";
import { followTables } from "./follow-tables.ts";
import { setPageCore } from "./page-core.ts";

const A_WHILE_MS = 10_000;
const at = (seq: number) =>
  store.set(tableAtom("incidents"), { ...closedTable, position: { epoch: "e1", seq } });

describe("following tables without their records", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    setPageCore({ openTable: () => ({ close: () => {} }) } as never);
    store.set(tableAtom("incidents"), closedTable);
  });
  afterEach(() => {
    vi.useRealTimers();
    setPageCore(null);
  });

  it("tells also of what was committed before the table was followed, and after it was asked for", () => {
    let news = 0;
    const stop = followTables(["incidents"], () => {
      news += 1;
    });
    at(5);
    vi.advanceTimersByTime(A_WHILE_MS);
    expect(news).toBe(1);
    at(5);
    vi.advanceTimersByTime(A_WHILE_MS);
    expect(news).toBe(1);
    at(6);
    vi.advanceTimersByTime(A_WHILE_MS);
    expect(news).toBe(2);
    stop();
  });

  it("tells nothing of a table that stands where it stood", () => {
    at(5);
    const news = vi.fn();
    const stop = followTables(["incidents"], news);
    at(5);
    store.set(tableAtom("incidents"), closedTable);
    vi.advanceTimersByTime(A_WHILE_MS);
    expect(news).not.toHaveBeenCalled();
    stop();
  });
});
