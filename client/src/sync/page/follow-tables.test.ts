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

  it("also reports commits between the subscription request and its answer", () => {
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

  it("reports nothing for a table whose position is unchanged", () => {
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
