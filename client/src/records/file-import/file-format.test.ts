import { describe, expect, it } from "vitest";
import { detectDecimal, possibleDateFormats } from "../../../../shared/import/detect-format.ts";
import { readSample } from "../../../../shared/import/read-sample.ts";
import { detectFormat, detectValues, tableOf } from "./file-format.ts";

describe("the format of a file", () => {
  it("has the most frequent delimiter, a header that names fields, and a text that means empty", () => {
    const text = "Number;Title\nA1;one, two\nA2;?\n";
    const format = detectFormat(text, "utf-8", ["number"]);
    expect(format).toMatchObject({ delimiter: ";", hasHeader: true, nullText: "?" });
    expect(tableOf(text, format)).toEqual({
      header: ["Number", "Title"],
      rows: [
        ["A1", "one, two"],
        ["A2", "?"],
      ],
    });
  });

  it("has no header where the first row holds values", () => {
    const text = "17\tone\n18\ttwo\n";
    const format = detectFormat(text, "utf-8", ["number"]);
    expect(format).toMatchObject({ delimiter: "\t", hasHeader: false });
    expect(tableOf(text, format).header).toEqual(["Column 1", "Column 2"]);
  });

  it("reads quoted cells with delimiters, quotes and line breaks", () => {
    const text = '\u{FEFF}a,"b ""c"", d"\r\n\r\n"two\nlines",\n';
    expect(readSample(text, { delimiter: ",", maxRows: 10 })).toEqual([
      ["a", 'b "c", d'],
      ["two\nlines", ""],
    ]);
  });
});

describe("dates", () => {
  it.each([
    [["31-03-2026 10:15", "01-04-2026 9:00"], ["DD-MM-YYYY HH:mm"]],
    [["03/04/2026"], ["DD/MM/YYYY", "MM/DD/YYYY"]],
    [["12/31/2026"], ["MM/DD/YYYY"]],
    [["2026-03-31T10:15:00Z", "2026-03-31"], []],
    [["31.02.2026"], []],
    [["", "soon"], []],
  ])("%j fit %j", (texts, formats) => {
    expect(possibleDateFormats(texts)).toEqual(formats);
  });

  it("are undecided where several formats fit, and unknown where none does", () => {
    const of = (text: string) => detectValues([[text]], [{ type: "timestamp" }], "?");
    expect(of("03/04/2026")).toMatchObject({ dateFormat: undefined, hasUnknownDates: false });
    expect(of("last week")).toMatchObject({ dateFormat: null, hasUnknownDates: true });
    expect(of("?")).toMatchObject({ dateFormat: null, hasUnknownDates: false });
  });
});

describe("numbers", () => {
  it.each([
    [["1.234,5"], ","],
    [["1,234.5", "7"], "."],
    [["0,25"], ","],
    [["1.234.567"], ","],
    [["1,234"], null],
    [["1,5", "1.5"], null],
    [["12"], null],
    [["0.500"], "."],
    [["-0,250", "1.234"], ","],
    [["1234.567"], "."],
    [["0.500%"], "."],
    [["−1.234%"], null],
  ])("%j have the decimal sign %j", (texts, sign) => {
    expect(detectDecimal(texts)).toBe(sign);
  });
});
