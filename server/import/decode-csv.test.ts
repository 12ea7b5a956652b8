import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { quotedCell } from "../../shared/csv-line.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { UNREADABLE } from "./decode-csv.ts";
import { readCsv } from "./read-csv.ts";

/** The rows of a file that arrives in chunks of so many bytes. */
async function rowsOf(bytes: Uint8Array, options = {}, piece = bytes.length || 1) {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  const rows = [];
  for await (const { cells } of readCsv(pieces(), options, defaultLimits)) rows.push(cells);
  return rows;
}
/** The same with the number of each line, and which are ambiguous. */
async function numbered(bytes: Uint8Array, piece = bytes.length) {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  const rows = [];
  for await (const { line, cells, isAmbiguous } of readCsv(pieces(), {}, defaultLimits))
    rows.push([line, cells, ...(isAmbiguous ? ["ambiguous"] : [])]);
  return rows;
}
/** How many turns others have meanwhile. */
async function turnsBeside(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns += 1) await setImmediate();
  })();
  await work();
  isDone = true;
  await others;
  return turns;
}
const utf8 = (text: string) => new TextEncoder().encode(text);
const quoted = (cell: string) => (/[",\n]/.test(cell) ? quotedCell(cell) : cell);
const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

describe("a CSV file", () => {
  it.each([
    ["a,b\n1,2;3\n", ["a", "b"]],
    ["a;b\n1;2,3\n", ["a", "b"]],
    ["a\tb\n1\t2\n", ["a", "b"]],
    ["a|b\n1|2\n", ["a", "b"]],
    ['"a,1";"b,2"\n1;2\n', ["a,1", "b,2"]],
    ['"a\n,,,";b\r\n1;2\n', ["a\n,,,", "b"]],
    ["\r\n\r\na;b\r\n", ["a", "b"]],
    ["a\n1\n", ["a"]],
    ["a;b", ["a", "b"]],
    ["title, notes;count\nTray, big;1\nBox, small;2\n", ["title, notes", "count"]],
    ["Name, first;Amount, net;Note\na;1,5;x\nb;2,25;y\n", ["Name, first", "Amount, net", "Note"]],
    ["sep=;\r\ntitle;count\r\nTray;3\r\n", ["title", "count"]],
    ["\uFEFFsep=,\na,b;c;d\n1,2;3;4\n", ["a", "b;c;d"]],
  ])("is split by the delimiter that its first rows show or name: %j", async (text, header) => {
    for (const piece of [undefined, 1]) {
      expect((await rowsOf(utf8(text), {}, piece))[0]).toEqual(header);
    }
  });

  it("counts the line that names its delimiter, and takes no other for one", async () => {
    async function* named() {
      yield utf8("sep=;\na;b\n1;2\n");
    }
    const lines = [];
    for await (const { line } of readCsv(named(), {}, defaultLimits)) lines.push(line);
    expect(lines).toEqual([2, 3]);
    expect(await rowsOf(utf8("sep=a\nx\n"))).toEqual([["sep=a"], ["x"]]);
  });

  it.each([
    ['title,notes\nPipe 12" long,metal\n', ['Pipe 12" long', "metal"]],
    ['title,notes\n27",screen\n', ['27"', "screen"]],
    ['title,notes\n"27"" screen",x\n', ['27" screen', "x"]],
  ])("has quotation marks within cells: %j", async (text, row) => {
    expect((await rowsOf(utf8(text)))[1]).toEqual(row);
  });

  it.each([
    // A space before a quotation mark would shift cells.
    ['Z1, "Uno, due"', ['Z1, "Uno, due"']],
    ['Z1,"27" screen, large",x', ['Z1,"27" screen, large",x']],
    // The parser takes what follows for the text of the cell, up to the next quotation mark.
    ['Z1,"27 screen,x', ['Z1,"27 screen,x']],
    ['Z1,a,"27', ['Z1,a,"27']],
  ])(
    "has one cell of an ambiguous row, as it is written, and the other rows: %j",
    async (text, cells) => {
      const file = `code,name,note\nZ0,"a\nb",\n${text}\n\nZ2,"b ""c""",d\nZ3,27",e\n`;
      for (const end of ["\n", "\r\n"]) {
        for (const piece of [undefined, 1]) {
          const bytes = utf8(file.replaceAll("\n", end));
          expect(await numbered(bytes, piece)).toEqual([
            [1, ["code", "name", "note"]],
            [2, ["Z0", `a${end}b`, ""]],
            [4, cells, "ambiguous"],
            [6, ["Z2", 'b "c"', "d"]],
            [7, ["Z3", '27"', "e"]],
          ]);
        }
      }
    },
  );

  it.each([
    ['code,name,note\nZ0,a,b\nZ1, "Uno\ndue",x\n', 3],
    ['code,name,note\nZ0,a,b\nZ1,"Uno\ndue,x\nZ2,"b",c\n', 3],
    ['code,name,note\nZ0,a,b\nZ1,"Uno,x\nZ2,"b,c\nZ3,"d",e\n', 3],
    // Not the last line, which it swallows all others up to.
    ['code,name,note\nZ0,a,b\nZ1,"Uno,x\nZ2,b,c\n', 3],
    ['code,name\r\n\r\n"Z\r\n0","a\r\nb"\r\n\r\nZ1,c\r\n"Uno,x\r\n\r\nZ2,b\r\n', 8],
    ['code, "name, note"\nZ0,a\n', 1],
  ])(
    "is refused with the line where it is not certain where a row ends: %j",
    async (text, line) => {
      const refused = { code: "invalid_request", detail: { line } };
      await expect(rowsOf(utf8(text))).rejects.toMatchObject(refused);
    },
  );

  it("is refused with the line where a cell begins that is longer than a row may be", async () => {
    const text = `code,name\nZ1,"Uno\n${"Z2,b\n".repeat(500_000)}`;
    await expect(rowsOf(utf8(text))).rejects.toMatchObject({ detail: { line: 2 } });
  });

  it.each([
    // The first mark of a text of several lines is missing, in a cell within the row and in its last one.
    ['Z1,one\ntwo, too\nthree",x', ["Z1,one", "two, too", 'three",x'], [4, 5, 6]],
    ['Z1,x,one\ntwo"', ["Z1,x,one", 'two"'], [4, 5]],
    // A mark too many or too few makes one cell of two.
    ['Z1,"Uno, due,""27"""', ['Z1,"Uno, due,""27"""'], [4]],
    ['Z1,"Uno"", due"', ['Z1,"Uno"", due"'], [4]],
    ['Z1","Uno, due"', ['Z1","Uno, due"'], [4]],
    ['Z"1,27""",x', ['Z"1,27""",x'], [4]],
  ])(
    "has lines of their own of what may be a part of a row, or two cells in one: %j",
    async (text, parts, lines) => {
      const file = `code,name,note\n\nZ0,27",b\n${text}\nZ2,c,d\n`;
      for (const end of ["\n", "\r\n"]) {
        for (const piece of [undefined, 1]) {
          const rows = await numbered(utf8(file.replaceAll("\n", end)), piece);
          expect(rows).toEqual([
            [1, ["code", "name", "note"]],
            [3, ["Z0", '27"', "b"]],
            ...parts.map((part, at) => [lines[at], [part], "ambiguous"]),
            [(lines.at(-1) ?? 0) + 1, ["Z2", "c", "d"]],
          ]);
        }
      }
    },
  );

  it.each([
    ["all shorter than the first one", "Z0,a", ["Y1", '27"']],
    ["beside one with too many cells", "Z0,a,b,c,d", ["Y1", '27"', "c"]],
  ])("has inch marks in rows that are %s", async (_case, row, last) => {
    const rows = Array.from({ length: 12 }, () => row);
    const file = utf8(`code,size,note\n${rows.join("\n")}\n${last.join(",")}\n`);
    expect((await rowsOf(file)).at(-1)).toEqual(last);
  });

  it("has no row that it does not mean where one quotation mark is missing, doubled or elsewhere", async () => {
    const meant = [
      ["code", "name", "note"],
      ["Item 0", "Uno, due", 'say "hi"'],
      ["Item 1", '27"', "line\nbreak"],
      ["Item 2", "one\ntwo, three\nfour", '"q"'],
      ["Item 3", "plain", 'a, "b"'],
    ];
    const good = meant.map((row) => row.map(quoted).join(",")).join("\n");
    const broken = [...good.matchAll(/"/g)].flatMap(({ index: at }) => {
      const without = good.slice(0, at) + good.slice(at + 1);
      const places = [-3, -2, -1, 1, 2, 3].map((by) => Math.max(0, at + by));
      const moved = places.map((to) => `${without.slice(0, to)}"${without.slice(to)}`);
      return [without, `${good.slice(0, at)}"${good.slice(at)}`, ...moved];
    });
    const texts = new Set(broken);
    texts.delete(good);
    for (const text of texts) {
      const rows = await numbered(utf8(text)).catch(() => []);
      const clear = rows.filter(([, , isAmbiguous]) => !isAmbiguous).map(([, cells]) => cells);
      const wrong = (clear as string[][]).filter((cells) => {
        // A mark more or less within a text is seen by its reader, and moves no cell.
        const like = meant.find(([code]) => code?.at(-1) === cells[0]?.replaceAll('"', "").at(-1));
        const bare = (one: string[] = []) => JSON.stringify(one.map((c) => c.replaceAll('"', "")));
        return cells.length <= 3 && bare(cells) !== bare(like);
      });
      expect({ text, wrong }).toEqual({ text, wrong: [] });
    }
    expect(texts.size).toBeGreaterThan(100);
  });

  it("lets others have turns while it reads what a doubtful row has swallowed", async () => {
    const behind = Array.from({ length: 60_000 }, (_, n) => `Z${n},name,note`).join("\n");
    const file = utf8(`code,name,note\nY,"27 screen,x\n${behind}\nX,"b",c\n`);
    const turns = await turnsBeside(async () => expect(await rowsOf(file)).toHaveLength(60_003));
    // Each slice of 8 KiB is parsed twice, and rows are passed on.
    expect(turns).toBeGreaterThan((2 * behind.length) / 8_192);
  });

  it("has all cells as they are meant where it is valid, whatever their texts begin and end with", async () => {
    const signs = ["", '"', " ", "\n", ",", "a"];
    const texts = signs.flatMap((one) => signs.map((other) => one + other));
    const meant = texts.flatMap((one) => texts.map((other) => ["Z", one, other]));
    const lines = meant.map((row) => row.map(quoted).join(","));
    const rows = await numbered(utf8(`code,name,note\n${lines.join("\n")}\n`));
    expect(rows.slice(1).map(([, cells]) => cells)).toEqual(meant);
  });

  it("lets others have turns while it reads many short rows", async () => {
    const count = 12_000;
    const turns = await turnsBeside(() => rowsOf(utf8(`code,name,note\n${"Z\n".repeat(count)}`)));
    expect(turns).toBeGreaterThan(count / 1_100);
  });

  it("has a space before a quotation mark where that holds no delimiter", async () => {
    expect(await rowsOf(utf8('code,name\nZ0, "Zero"\n'))).toEqual([
      ["code", "name"],
      ["Z0", ' "Zero"'],
    ]);
  });

  it("takes linear time over line breaks before its first line", async () => {
    const breaks = (count: number) => utf8(`${"\n".repeat(count)}a;b\n`);
    expect(await rowsOf(breaks(400_000))).toEqual([["a", "b"]]);
    expect(await rowsOf(breaks(60_000), {}, 1)).toEqual([["a", "b"]]);
  });

  it("takes linear time over line breaks within a row", async () => {
    const breaks = "\n".repeat(400_000);
    expect(await rowsOf(utf8(`a,b\n"""q""","${breaks}x"\n`))).toEqual([
      ["a", "b"],
      ['"q"', `${breaks}x`],
    ]);
    const others = utf8(`a,b\nq,${"\r".repeat(400_000)}x\n`);
    await expect(rowsOf(others)).rejects.toMatchObject({ detail: { line: 2 } });
  });

  it("is split by the given delimiter", async () => {
    expect(await rowsOf(utf8("a;b,c\n"), { delimiter: "," })).toEqual([["a;b", "c"]]);
  });

  it.each(["José, 日本, 🎉, a\uFFFDb", "plain"])(
    "decodes UTF-8 unchanged, wherever it is cut: %s",
    async (text) => {
      const bytes = utf8(`"${text}"\n`);
      for (let piece = 1; piece <= bytes.length; piece += 1) {
        expect(await rowsOf(bytes, { delimiter: "," }, piece)).toEqual([[text]]);
      }
    },
  );

  it("marks what is not UTF-8, and only there", async () => {
    const bytes = latin1("a\nJosé\nAnna\n");
    for (const piece of [bytes.length, 1, 5]) {
      const rows = await rowsOf(bytes, {}, piece);
      expect(rows).toEqual([["a"], [`Jos${UNREADABLE}`], ["Anna"]]);
    }
  });

  it("is read in the given encoding, or that of its byte order mark", async () => {
    expect(await rowsOf(latin1("José\n"), { encoding: "windows-1252" })).toEqual([["José"]]);
    for (const piece of [1, 2, 3, 50]) {
      expect(await rowsOf(utf16("José;日本\n1;2\n"), {}, piece)).toEqual([
        ["José", "日本"],
        ["1", "2"],
      ]);
    }
  });

  it.each([
    [
      "a,b\n1,2\r\n3,x\r\n",
      [
        ["a", "b"],
        ["1", "2"],
        ["3", "x"],
      ],
    ],
    [
      "a,b\r\n1,2\r\n3,x\n",
      [
        ["a", "b"],
        ["1", "2"],
        ["3", "x"],
      ],
    ],
    [
      "a,b\r1,2\r3,x\r",
      [
        ["a", "b"],
        ["1", "2"],
        ["3", "x"],
      ],
    ],
    [
      'a,b\r\n1,"2\n"\r\n"3\r",x\n\n',
      [
        ["a", "b"],
        ["1", "2\n"],
        ["3\r", "x"],
      ],
    ],
    [
      "a,b\r\n1\n2,3\r\n",
      [
        ["a", "b"],
        ["1\n2", "3"],
      ],
    ],
  ])("has no rest of a line end in its cells: %j", async (text, rows) => {
    for (const piece of [undefined, 1]) expect(await rowsOf(utf8(text), {}, piece)).toEqual(rows);
  });

  it.each(["a\r\n1\n2\n", "a,b\r\n1,2\n3\r\n", "a\n1\r2\n"])(
    "is refused with the line where its lines end in several ways: %j",
    async (text) => {
      await expect(rowsOf(utf8(text))).rejects.toMatchObject({
        code: "invalid_request",
        detail: { line: 2 },
        message: expect.stringContaining("line break"),
      });
    },
  );

  it("has only rows with a value, as spreadsheets write others too", async () => {
    const text = ',,\r\na,b,c\r\n1,2,\r\n,, \r\n"","",""\r\n3,,\r\n,,\r\n';
    expect(await rowsOf(utf8(text))).toEqual([
      ["a", "b", "c"],
      ["1", "2", ""],
      ["3", "", ""],
    ]);
  });
});
