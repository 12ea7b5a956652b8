import { describe, expect, it } from "vitest";
import { findOption } from "../../../../../shared/model/read-text.ts";
import { proposeField, proposeFields } from "./propose-field.ts";

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
    ["boolean", ["ja", "Nein", ""]],
    ["boolean", ["x", "", "X"]],
    ["integer", ["0", "1"]],
    ["text", ["y", "n"]],
    ["text", ["01067", "80331"]],
    ["text", ["+49 30 123", "(030) 123"]],
    ["text", ["741790928812300208", "41790928812300208"]],
    ["decimal", ["741790928812300208.5", "7"]],
    ["decimal", ["-741790928812300208", "7"]],
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

  it("is a selection of composed options: a file may hold one in several normal forms", () => {
    const cells = Array.from(
      { length: 12 },
      (_, n) => ["\u00c9clair", "E\u0301clair", "Tarte"][n % 3] as string,
    );
    const options = [{ value: "\u00c9clair" }, { value: "Tarte" }];
    expect(proposeField("Cake", cells, null)).toEqual({ type: "select", options });
    expect(findOption({ options }, "E\u0301CLAIR")).toEqual(options[0]);
  });

  it("is an amount where its values name one currency, or a percentage, with as many digits as they have", () => {
    expect(proposeField("Price", ["35.082,57 €", "EUR 7", "-1,5 €"], ",")).toEqual({
      ...{ type: "money", currency: "EUR", scale: 2 },
    });
    expect(proposeField("Price", ["5 €", "$ 7"], ".")).toMatchObject({ type: "text" });
    expect(proposeField("Share", ["42,3 %", "7 %"], ",")).toEqual({ type: "percent", scale: 1 });
    const longitude = ["8.5417123456789", "47.37"];
    expect(proposeField("Lon", longitude, ".")).toEqual({ type: "decimal", scale: 13 });
  });

  it("is shown without thousands separators where its numbers are years, keys or codes", () => {
    for (const [header, cells] of [
      ["Built", ["1987", "2026"]],
      ["EAN", ["4000000000037", "4000000000074", "4000000000037"]],
      ["Number", ["1", "20000"]],
    ] as const)
      expect(proposeField(header, cells, null)).toMatchObject({ type: "integer", ungrouped: true });
    expect(proposeField("Count", ["1987", "12"], null)).toEqual({ type: "integer" });
  });

  it("follows the other columns where its own numbers don't say how fractions are written", () => {
    const columns = [
      ["1.234", "12"],
      ["1,5", "2"],
      ["2,25", "7"],
      ["1’234.50 CHF", "7.00 CHF"],
      ["31.03.2026", "01.04.2026"],
    ];
    const fields = proposeFields(["Count", "Rate", "Part", "Swiss", "Day"], columns);
    const types = fields.map(({ field }) => field.type);
    expect(types).toEqual(["integer", "decimal", "decimal", "money", "date"]);
  });
});
