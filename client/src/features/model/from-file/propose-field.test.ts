import { describe, expect, it } from "vitest";
import { proposeField } from "./propose-field.ts";

describe("the type of a column of a file", () => {
  it.each([
    ["integer", ["12", "N/A", "14"]],
    ["decimal", ["1.5", "NULL", "2"]],
    ["boolean", ["yes", "?", "no"]],
    ["date", ["2026-03-31", "\\N"]],
    ["date", ["31.03.2026", "#N/A"]],
    ["timestamp", ["2026-03-31T10:00:00Z", "null"]],
    ["email", ["ana@example.com", "N/A"]],
    ["text", ["N/A", "?", "NULL"]],
    ["text", ["a", "N/A"]],
    ["text", ["12", "unknown"]],
  ])("is %s where its values are %j: a placeholder says nothing", (type, cells) => {
    expect(proposeField("Column", cells, null)).toMatchObject({ type });
  });

  it("is a selection with a placeholder among its options: no row with it is refused", () => {
    const cells = Array.from({ length: 15 }, (_, n) => ["high", "low", "N/A"][n % 3] as string);
    expect(proposeField("Risk", cells, null)).toEqual({
      type: "select",
      options: [{ value: "high" }, { value: "low" }, { value: "N/A" }],
    });
  });
});
