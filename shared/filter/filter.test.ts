import { describe, expect, test } from "vitest";
import { filterSchema } from "./filter.ts";

describe("the form of a filter", () => {
  test.each([
    ["a comparison", { field: "state", op: "eq", value: "New" }],
    ["a comparison without value", { field: "state", op: "isEmpty" }],
    ["groups", { and: [{ or: [] }, { not: { field: "a", op: "in", value: [1, null] } }] }],
    [
      "spans and fields as values",
      { field: "a", op: "between", value: [{ ago: "4h" }, { field: "b" }] },
    ],
  ])("accepts %s", (_title, filter) => {
    expect(filterSchema.parse(filter)).toEqual(filter);
  });

  test.each([
    ["nothing", null],
    ["an unknown operator", { field: "state", op: "like", value: "x" }],
    ["two groups in one", { and: [], or: [] }],
    ["an unknown property", { field: "state", op: "eq", value: 1, extra: true }],
    ["a group that is no list", { and: {} }],
    ["a field without name", { field: "", op: "eq", value: 1 }],
  ])("refuses %s", (_title, filter) => {
    expect(filterSchema.safeParse(filter).success).toBe(false);
  });

  test("F13 refuses what would exhaust the stack, without exhausting it", () => {
    const text = `${'{"not":'.repeat(100_000)}{"and":[]}${"}".repeat(100_000)}`;
    const result = filterSchema.safeParse(JSON.parse(text));
    expect(result.error?.issues[0]?.message).toBe("nests too deeply");
  });
});
