import { describe, expect, it } from "vitest";
import { detectDecimal, possibleDateFormats } from "../../../../shared/import/detect-format.ts";
import { readSample } from "../../../../shared/import/read-sample.ts";
import { detectFormat, detectValues, placeholderCells, tableOf } from "./file-format.ts";

describe("the format of a file", () => {
  it("has the most frequent delimiter, and a header that names fields", () => {
    const text = "Number;Title\nA1;one, two\nA2;?\n";
    const format = detectFormat(text, "utf-8", ["number"]);
    expect(format).toMatchObject({ delimiter: ";", hasHeader: true });
    expect(tableOf(text, format)).toEqual({
      header: ["Number", "Title"],
      rows: [
        ["A1", "one, two"],
        ["A2", "?"],
      ],
    });
  });

  it.each(["?", "NULL", "null", "N/A", "#N/A", "\\N"])(
    "reads only empty cells as empty: %j is a text until the user says otherwise, counted in the columns that are used",
    (text) => {
      const file = `id,title,notes\nA1,${text},${text}\nA2,,${text}\nA3,x${text}, ${text}\n`;
      const format = detectFormat(file, "utf-8", ["title"]);
      expect(format).toMatchObject({ nullText: "" });
      const { rows } = tableOf(file, format);
      expect(placeholderCells(rows, () => true)).toEqual([{ text, count: 3 }]);
      expect(placeholderCells(rows, (index) => index < 2)).toEqual([{ text, count: 1 }]);
      expect(placeholderCells(rows, (index) => index === 0)).toEqual([]);
    },
  );

  it("has no header where the first row holds values", () => {
    const text = "17\tone\n18\ttwo\n";
    const format = detectFormat(text, "utf-8", ["number"]);
    expect(format).toMatchObject({ delimiter: "\t", hasHeader: false });
    expect(tableOf(text, format).header).toEqual(["Column 1", "Column 2"]);
  });

  it.each(["Jo Hall,jo@example.com\nSam,sam@example.com\n", "North,https://north.example.com\n"])(
    "has no header where the first row holds an address: %j",
    (text) => {
      expect(detectFormat(text, "utf-8", ["Name"]).hasHeader).toBe(false);
      expect(detectFormat("Name,E-Mail\n", "utf-8", []).hasHeader).toBe(true);
    },
  );

  it("reads quoted cells with delimiters, quotes and line breaks", () => {
    const text = '\u{FEFF}a,"b ""c"", d"\r\n\r\n"two\nlines",\n';
    expect(readSample(text, { delimiter: ",", maxRows: 10 })).toEqual([
      ["a", 'b "c", d'],
      ["two\nlines", ""],
    ]);
  });
});

describe("the names of columns", () => {
  it("are distinguished where two have one, and numbered where there are none, beside others", () => {
    const text = ",Comment,Comment\n1,a,b\n";
    const format = detectFormat(text, "utf-8", []);
    expect(format.hasHeader).toBe(true);
    expect(tableOf(text, format).header).toEqual(["Column 1", "Comment", "Comment (2)"]);
  });
});

describe("dates", () => {
  it.each([
    [[["31.03.2026"], ["03/31/2026"], ["2026-03-31"]], null, false],
    [[["31/03/2026"], ["03/04/2026"]], "DD/MM/YYYY", false],
    [[["31.03.2026"], ["03/04/2026"]], undefined, false],
    [[["31.03.2026"], ["soon"]], "DD.MM.YYYY", true],
  ])(
    "%j are read column by column, by one that decides another",
    (columns, dateFormat, hasUnknownDates) => {
      const fields = columns.map(() => ({ type: "date" as const }));
      const rows = [columns.map(([text = ""]) => text)];
      expect(detectValues(rows, fields, "")).toMatchObject({ dateFormat, hasUnknownDates });
    },
  );

  it.each([
    [["31-03-2026 10:15", "01-04-2026 9:00"], ["DD-MM-YYYY HH:mm"]],
    [["03/04/2026"], ["DD/MM/YYYY", "MM/DD/YYYY"]],
    [["12/31/2026"], ["MM/DD/YYYY"]],
    [["2026-03-31T10:15:00Z", "2026-03-31"], []],
    [["31.02.2026"], []],
    [["", "soon"], []],
    [["31.03.2026", "N/A", "?"], ["DD.MM.YYYY"]],
    [["2026-03-31", "NULL"], []],
  ])("%j fit %j", (texts, formats) => {
    expect(possibleDateFormats(texts)).toEqual(formats);
  });

  it("are undecided where several formats fit, and unknown where none does", () => {
    const of = (...texts: string[]) =>
      detectValues(
        texts.map((text) => [text]),
        [{ type: "timestamp" }],
        "unknown",
      );
    expect(of("03/04/2026")).toMatchObject({ dateFormat: undefined, hasUnknownDates: false });
    expect(of("last week")).toMatchObject({ dateFormat: null, hasUnknownDates: true });
    for (const text of ["unknown", "?"])
      expect(of(text)).toMatchObject({ dateFormat: null, hasUnknownDates: false });
    expect(of("N/A", "31.03.2026")).toMatchObject({ dateFormat: "DD.MM.YYYY" });
  });
});

describe("numbers", () => {
  it.each([
    [["1.234", "12"], undefined],
    [["1,234"], undefined],
    [["1.234,5", "1.234"], ","],
    [["12", "0.5", "1.234"], "."],
    [["12", "1234", "1 234"], null],
  ])("%j have the sign %j: where they fit both, only the user can decide", (texts, decimal) => {
    const rows = texts.map((text) => [text]);
    expect(detectValues(rows, [{ type: "decimal" }], "")).toMatchObject({ decimal });
  });

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
    [["35.082,57 €", "EUR 7"], ","],
    [["€1,234.5"], "."],
    [["−1.234%"], null],
  ])("%j have the decimal sign %j", (texts, sign) => {
    expect(detectDecimal(texts)).toBe(sign);
  });
});
