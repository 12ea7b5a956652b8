import { describe, expect, it } from "vitest";
import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { columnReader } from "./column-reader.ts";

const field = (type: FieldType, more: Partial<Field> = {}): Field => ({
  name: "f",
  label: "F",
  type,
  ...more,
});
const euros = field("money", { scale: 2, currency: "EUR" });

/** The values of a pasted column; null for a cell that is refused. */
function read(of: Field, cells: (string | { text: string; number: string })[]) {
  const column = cells.map((cell) => (typeof cell === "string" ? { text: cell } : cell));
  const reader = columnReader(of, column);
  return column.map((cell) => {
    const parsed = reader(cell);
    return parsed.ok ? parsed.value : null;
  });
}

describe("numbers of a pasted column", () => {
  it("are written as the column itself shows, whatever the locale", () => {
    expect(read(euros, ["1.234,56", "1.234", "7,5"])).toEqual(["1234.56", "1234.00", "7.50"]);
    expect(read(euros, ["1,234.56", "1,234", "7.5"])).toEqual(["1234.56", "1234.00", "7.50"]);
  });

  it("are not thousands if they begin with a zero", () => {
    const exact = field("decimal", { scale: 3 });
    expect(read(exact, ["0.500", "1.234"])).toEqual(["0.500", "1.234"]);
    expect(read(exact, ["0,500", "1,234"])).toEqual(["0.500", "1.234"]);
    expect(read(exact, ["0,500", "0.250"])).toEqual(["0.500", "0.250"]);
    expect(read(euros, ["0.500"])).toEqual(["0.50"]);
    expect(read(euros, ["-€3.00", "€-3.00", "3 €", "R$ 3"])).toEqual([
      "-3.00",
      "-3.00",
      "3.00",
      null,
    ]);
    expect(read(field("money", { scale: 2, currency: "BRL" }), ["R$ 3", "$3"])).toEqual([
      "3.00",
      null,
    ]);
  });

  it("may be negative in brackets, and carry the currency of the field", () => {
    expect(read(euros, ["(5)", "€ 12.50", "EUR 3"])).toEqual(["-5.00", "12.50", "3.00"]);
  });

  it("are refused as percentages or amounts of another currency, never guessed", () => {
    expect(read(euros, ["5%", "$5.00", "12 kg"])).toEqual([null, null, null]);
    expect(read(field("integer"), ["5%"])).toEqual([null]);
    expect(read(field("percent", { scale: 1 }), ["5%", "12.5 %"])).toEqual(["5.0", "12.5"]);
  });

  it("have the digits that the spreadsheet has stored, unless these do not fit", () => {
    const rounded = { text: "1.234,57", number: "1234.567" };
    expect(read(field("decimal", { scale: 3 }), [rounded])).toEqual(["1234.567"]);
    expect(read(euros, [rounded])).toEqual([null]);
    expect(read(euros, [{ text: "0,30", number: "0.30000000000000004" }])).toEqual(["0.30"]);
    expect(read(field("integer"), [{ text: "3", number: "2.5" }])).toEqual([null]);
  });

  it("are percentages with all digits that the spreadsheet has stored as a fraction", () => {
    const share = field("percent", { scale: 1 });
    expect(read(share, [{ text: "13%", number: "0.125" }])).toEqual(["12.5"]);
    expect(read(share, [{ text: "7 %", number: "0.070000000000000007" }])).toEqual(["7.0"]);
    expect(read(share, [{ text: "1%", number: "0.0123" }])).toEqual([null]);
    expect(read(share, [{ text: "12.5", number: "12.5" }])).toEqual(["12.5"]);
    expect(read(field("decimal"), [{ text: "0%", number: "0.004" }])).toEqual([null]);
  });

  it("keep more digits than a spreadsheet computes with, if the text shows them all", () => {
    const digits = "1234567890123.4567";
    const cells = [
      { text: digits, number: digits },
      { text: digits.replace(".", ","), number: digits },
    ];
    expect(read(field("decimal", { scale: 4 }), cells)).toEqual([digits, digits]);
  });

  it("are not the days of a date", () => {
    expect(read(field("integer"), [{ text: "22.11.2026", number: "46348" }])).toEqual([null]);
  });
});

describe("dates of a pasted column", () => {
  const day = field("date");
  const time = field("timestamp");
  const instant = (...parts: [number, number, number, number, number]) =>
    new Date(...parts).toISOString();

  it("are read in the order that the column proves", () => {
    expect(read(day, ["11/22/2026", "03/04/2026"])).toEqual(["2026-11-22", "2026-03-04"]);
    expect(read(day, ["22/11/2026", "03/04/2026"])).toEqual(["2026-11-22", "2026-04-03"]);
    expect(read(time, ["11/22/2026 2:05 PM"])).toEqual([instant(2026, 10, 22, 14, 5)]);
    expect(read(day, ["22.11.26"])).toEqual(["2026-11-22"]);
  });

  it("may name the month", () => {
    expect(read(day, ["22 Nov 2026"])).toEqual(["2026-11-22"]);
  });

  it("are refused where nothing says which part is the year, or where they do not exist", () => {
    expect(read(day, ["11-12-10", "soon"])).toEqual([null, null]);
    expect(read(day, ["31/02/2026"])).toEqual([null]);
  });

  it("are those that the spreadsheet has stored, if they are what it displays", () => {
    const stored = { text: "03/04/2026 14:05", number: "46085.586805555554" };
    expect(read(day, [{ text: "03/04/2026", number: "46085" }])).toEqual(["2026-03-04"]);
    expect(read(time, [stored])).toEqual([instant(2026, 2, 4, 14, 5)]);
    // A workbook that counts from 1904.
    expect(read(day, [{ text: "22 Nov 2026", number: "44886" }])).toEqual(["2026-11-22"]);
  });
});
