import { describe, expect, it } from "vitest";
import type { Field } from "../../../../../shared/model/model.ts";
import { groupOrder } from "./group-filter.ts";
import {
  alignHeadings,
  estimateHeadings,
  extraAt,
  type Heading,
  indexOfRow,
  rowAtIndex,
  withNewRows,
} from "./place-headings.ts";

const compare = groupOrder(
  { name: "size", type: "text" } as Field,
  { field: "size" },
  {
    descending: false,
    counted: [],
    textOrder: "en",
  },
);

const counted = estimateHeadings(
  [
    { key: "S", rows: 2 },
    { key: "L", rows: 3 },
    { key: "M", rows: 0 },
    { key: null, rows: 4 },
  ],
  compare,
);

const align = (
  headings: readonly Heading[],
  first: number,
  keys: Parameters<typeof alignHeadings>[2],
) => alignHeadings(headings, first, keys, compare);

const text = (headings: readonly Heading[]) =>
  headings.map(({ key, start }) => `${key} ${start}`).join(", ");

describe("headings between rows", () => {
  it("begin by the counts, also those of groups without rows", () => {
    expect(text(counted)).toBe("L 0, M 3, S 3, null 5");
    const drawn = Array.from({ length: 13 }, (_, index) => {
      const heading = extraAt(counted, index, 9);
      return heading ? `${heading.key}` : rowAtIndex(counted, index);
    });
    expect(drawn).toEqual(["L", 0, 1, 2, "M", "S", 3, 4, "null", 5, 6, 7, 8]);
    for (let row = 0; row < 9; row += 1) {
      expect(rowAtIndex(counted, indexOfRow(counted, row))).toBe(row);
      expect(extraAt(counted, indexOfRow(counted, row), 9)).toBeUndefined();
    }
    expect(rowAtIndex(counted, 4)).toBe(3);
  });

  it("have rows for new records after their groups", () => {
    const extras = withNewRows(counted, (key) => key === "L" || key === null);
    const drawn = Array.from({ length: 15 }, (_, index) => {
      const extra = extraAt(extras, index, 9);
      return extra ? `${extra.kind} ${extra.key}` : rowAtIndex(extras, index);
    });
    expect(drawn).toEqual([
      ...["heading L", 0, 1, 2, "new L", "heading M", "heading S", 3, 4],
      ...["heading null", 5, 6, 7, 8, "new null"],
    ]);
    expect(rowAtIndex(extras, 14)).toBe(9);
  });

  it("are corrected by the rows that are loaded", () => {
    expect(text(align(counted, 0, ["L", "L", "S", "S", "S"]))).toBe("L 0, M 2, S 2, null 5");
    expect(text(align(counted, 0, ["L", "L", "L", "L", "S"]))).toBe("L 0, M 4, S 4, null 5");
    expect(text(align(counted, 4, ["S", "S", "S", null]))).toBe("L 0, M 3, S 3, null 7");
    expect(text(align(counted, 4, [null, null]))).toBe("L 0, M 3, S 3, null 4");
    expect(text(align(counted, 6, []))).toBe(text(counted));
  });

  it("appear for groups that were not counted", () => {
    expect(text(align([], 0, ["L", "L", "S", null]))).toBe("L 0, S 2, null 3");
    expect(text(align([], 40, ["L", "S"]))).toBe("L 40, S 41");
    expect(text(align(counted, 0, ["K", "L", "P", "S"]))).toBe("K 0, L 1, M 2, P 2, S 3, null 5");
  });

  it("ignore rows that have changed since they were ordered", () => {
    const keys = ["L", null, "L", undefined, "S", "S", "L", "S"];
    expect(text(align(counted, 0, keys))).toBe("L 0, M 3, S 3, null 8");
  });
});
