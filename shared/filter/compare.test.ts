import { describe, expect, test } from "vitest";
import { compareCodePoints } from "./code-points.ts";
import { compareBy } from "./compare.ts";
import type { FieldKinds, Json, SortKey } from "./filter.ts";
import { compareTexts, type TextOrder } from "./text-order.ts";

const kinds: FieldKinds = {
  text: "text",
  integer: "integer",
  decimal: "decimal",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamp",
  list: "list",
};

function order(values: readonly Json[], field: string, descending = false): Json[] {
  const records = values.map((value, index) => ({ id: String(index), values: { [field]: value } }));
  const sorted = records.toReversed().sort(compareBy([{ field, descending }], kinds, "en"));
  return sorted.map((record) => record.values[field] ?? null);
}

describe("the order of records", () => {
  test.each<[string, Json[]]>([
    ["text", ["apple", "Ärger", "INC9", "INC21", "INC103", "Özdemir", "Zebra", "Zoë", null]],
    ["integer", [-2, 1, "9007199254740992", "9007199254740993", "9223372036854775807", null]],
    [
      "decimal",
      ["-Infinity", "-1.50", -1, "0.30", 0.5, "1e3", "1".repeat(30), "Infinity", "NaN", null],
    ],
    ["boolean", [false, true, null]],
    [
      "date",
      ["-infinity", "0044-03-15 BC", "0001-01-01", "2024-02-29", "12024-01-01", "infinity", null],
    ],
    [
      "timestamp",
      [
        "-infinity",
        "2024-03-01T01:00:00+02:00",
        "2024-02-29T23:00:00.000001Z",
        "2024-03-01 00:00:00-01",
        "2500-01-01T00:00:00.000001Z",
        "2500-01-01T00:00:00.000002Z",
        null,
      ],
    ],
  ])("F12 sorts %s upwards with empty last, and downwards with empty first", (field, ascending) => {
    expect(order(ascending.toReversed(), field)).toEqual(ascending);
    expect(order(ascending, field, true)).toEqual(ascending.toReversed());
  });

  test("F12 breaks ties by id, ascending in both directions", () => {
    const records = ["b", "a", "\u{1f600}", "\uffee", "B"].map((id) => ({
      id,
      values: { text: "x" },
    }));
    for (const descending of [false, true]) {
      const sorted = records.toSorted(compareBy([{ field: "text", descending }], kinds, "en"));
      expect(sorted.map(({ id }) => id)).toEqual(["B", "a", "b", "\uffee", "\u{1f600}"]);
    }
  });

  test("F12 uses the second key where the first is equal, and treats empty text as empty", () => {
    const sort: SortKey[] = [
      { field: "text", descending: false },
      { field: "integer", descending: true },
    ];
    const records = [
      { id: "1", values: { text: "", integer: 1 } },
      { id: "2", values: { text: "x", integer: 1 } },
      { id: "3", values: { text: "x", integer: 2 } },
      { id: "4", values: { integer: 2 } },
    ];
    const sorted = records.toSorted(compareBy(sort, kinds, "en"));
    expect(sorted.map(({ id }) => id)).toEqual(["3", "2", "4", "1"]);
  });

  test("F12 sorts texts that a language finds equal by code points, and all of them where the database has no ICU", () => {
    const texts = ["é", "e\u0301", "f", "E", "e"];
    const sorted = (order: TextOrder) => texts.toSorted(compareTexts(order));
    expect(sorted("en")).toEqual(["e", "E", "e\u0301", "é", "f"]);
    expect(sorted(null)).toEqual(["E", "e", "e\u0301", "f", "é"]);
    expect(["z", "ä"].toSorted(compareTexts("sv"))).toEqual(["z", "ä"]);
  });

  test("F12 sorts links by their labels, and those without a label behind them by their ids", () => {
    const labels = new Map<string, string | null>([
      ["p1", "Zoë"],
      ["p2", "Anna"],
      ["p3", null],
      ["p0", null],
      ["p5", "Anna"],
    ]);
    const records = ["p1", "p2", "p3", "p0", "p5", null].map((text, index) => ({
      id: String(index),
      values: { text },
    }));
    const sorted = (descending: boolean) =>
      records
        .toSorted(
          compareBy([{ field: "text", descending }], kinds, "en", { text: (id) => labels.get(id) }),
        )
        .map(({ values }) => values.text);
    expect(sorted(false)).toEqual(["p2", "p5", "p1", "p0", "p3", null]);
    expect(sorted(true)).toEqual([null, "p3", "p0", "p1", "p5", "p2"]);
  });

  test("F12 says nothing of two links of which it lacks a label", () => {
    const compare = compareBy([{ field: "text", descending: false }], kinds, "en", {
      text: (id) => (id === "p1" ? "Anna" : undefined),
    });
    const record = (text: string) => ({ id: text, values: { text } });
    expect(compare(record("p1"), record("p2"))).toBeNaN();
    expect(compare(record("p2"), record("p2"))).toBe(0);
    expect(compare(record("p1"), { id: "x", values: {} })).toBe(-1);
  });

  test("F12 ignores keys that can't be sorted by", () => {
    const records = [
      { id: "b", values: { list: ["a"] } },
      { id: "a", values: { list: ["b"] } },
    ];
    const sort = ["list", "secret"].map((field) => ({ field, descending: false }));
    expect(records.toSorted(compareBy(sort, kinds, "en")).map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

test("F4 orders text by code points, not by UTF-16 units", () => {
  const ascending = [
    "",
    "a",
    "ab",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\u{10000}",
    "\u{1f600}",
    "\u{1f600}a",
  ];
  ascending.forEach((a, left) => {
    ascending.forEach((b, right) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(left - right));
    });
  });
});
