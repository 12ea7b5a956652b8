import { Readable } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import type { ImportReport } from "../../../shared/protocol/imports.ts";
import { signedInClient } from "../testing/api-client.ts";
import { counts, importCalls } from "../testing/import-calls.ts";
import { ownerCredentials, serveTests, startTestServer } from "../testing/test-server.ts";

const { server, owner } = await serveTests("service-desk", { MUTATION_MAX_OPS: "3" });
let serial = 0;

beforeEach(() => {
  serial += 1;
});

const { post, imported, byNumber } = importCalls(owner);

describe("importing a file", () => {
  it("maps by name, label and text, reads values and reports what it left out", async () => {
    const map = JSON.stringify({ incident_state: "state", made_sla: "sla_met" });
    const report = await imported(
      `﻿Number,incident_state,made_sla,opened_at,NOTES,odd\r\nA${serial},New,TRUE,29-02-2016 01:16,"two\nlines",x\r\n`,
      { map, dateFormat: "DD-MM-YYYY HH:mm", null: "?" },
    );
    expect(report).toMatchObject({ rows: 1, created: 1, errors: [], ignored: ["odd"] });
    expect(report.columns).toMatchObject({ Number: "number", incident_state: "state" });
    const [record] = await byNumber(`A${serial}`);
    const opened_at = "2016-02-29T01:16:00+00:00";
    const values = { state: "New", sla_met: true, opened_at, notes: "two\nlines" };
    expect(record?.values).toMatchObject(values);
  });

  it("creates records in the order of the file, in however many batches", async () => {
    const numbers = Array.from({ length: 40 }, (_, n) => `${(n * 17) % 40}-O${serial}`);
    const rows = numbers.map((number) => `${number},Order ${serial}`).join("\n");
    expect(counts(await imported(`number,category\n${rows}\n`))).toEqual([40, 0, 0, 0]);
    const condition = { field: "category", op: "eq", value: `Order ${serial}` };
    const filter = encodeURIComponent(JSON.stringify(condition));
    const path = `/api/v1/tables/incidents/records?filter=${filter}`;
    const { body } = await owner.call("GET", path);
    const records = body.records as { values: { number: string } }[];
    expect(records.map(({ values }) => values.number)).toEqual(numbers);
  });

  it("reads times in the given zone, summer and winter", async () => {
    const rows = `number,opened_at\nS${serial},2016-07-01 12:00\nW${serial},2016-01-01 12:00\n`;
    await imported(rows, { zone: "Europe/Berlin" });
    const of = async (number: string) => (await byNumber(number))[0]?.values.opened_at;
    expect(await of(`S${serial}`)).toBe("2016-07-01T10:00:00+00:00");
    expect(await of(`W${serial}`)).toBe("2016-01-01T11:00:00+00:00");
  });

  it("numbers lines as editors do, whatever breaks lines within its cells", async () => {
    const n = `L${serial}`;
    const rows = [
      `${n}a,"one\r\ntwo\r\nthree",1`,
      "",
      `${n}b,"one\ntwo",many`,
      `${n}c,"one\rtwo",1`,
      `${n}d,,many`,
    ];
    const { errors } = await imported(`number,notes,reassignments\r\n${rows.join("\r\n")}`);
    expect(errors.map(({ line }) => line)).toEqual([6, 10]);
    const both = await imported(`number,reassignments\n${n}e,1\r\n${n}f,1\r\n${n}g,many\r\n`);
    expect(both.errors.map(({ line }) => line)).toEqual([4]);
  });

  it("reads each column of dates and numbers as it is written", async () => {
    const csv = `number,opened_at,due_at,reassignments,reopenings\nF${serial},31.03.2026 10:00,03/31/2026 11:00,"1,234,567","1.234.567"\n`;
    const report = await imported(csv);
    expect(counts(report)).toEqual([1, 0, 0, 0]);
    expect((await byNumber(`F${serial}`))[0]?.values).toMatchObject({
      ...{ opened_at: "2026-03-31T10:00:00+00:00", due_at: "2026-03-31T11:00:00+00:00" },
      ...{ reassignments: 1_234_567, reopenings: 1_234_567 },
    });
  });

  it("refuses a day that no calendar has, also in a zone", async () => {
    const row = `number,opened_at\nZ${serial},2024-02-30 10:00\n`;
    const { errors } = await imported(row, { zone: "Europe/Berlin" });
    expect(errors).toMatchObject([{ line: 2, field: "opened_at", rule: "type" }]);
    expect(await byNumber(`Z${serial}`)).toEqual([]);
  });

  it("reports each bad row by line, field and rule, and imports the others", async () => {
    const report = await imported(
      `number,state,caller,reassignments\nG${serial},New,,1\n\nB${serial},Asleep,,many\n"C\n${serial}",New,nobody,\nD${serial},New,,2\n`,
    );
    expect(counts(report)).toEqual([2, 0, 0, 2]);
    expect(report.errors).toMatchObject([
      { line: 4, field: "state", rule: "option", message: expect.stringMatching(/options/) },
      { line: 4, field: "reassignments", rule: "type" },
      { line: 5, field: "caller", rule: "link", code: "link_broken" },
    ]);
  });

  it("refuses a row with more values than the file has columns, and fills one with fewer", async () => {
    const lines = [
      `A${serial}r,one,two`,
      `B${serial}r`,
      `C${serial}r,three,, `,
      `D${serial}r,f,"o",ur`,
    ];
    const report = await imported(`number,title\n${lines.join("\n")}\n`);
    expect(counts(report)).toEqual([2, 0, 0, 2]);
    expect(report.errors).toMatchObject([
      { line: 2, rule: "columns", message: expect.stringContaining("(2)") },
      { line: 5, rule: "columns" },
    ]);
  });

  it("sent twice creates nothing twice, also when rows were added meanwhile", async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => `R${serial}-${n},t${n}`);
    const csv = (lines: string[]) => `number,title\n${lines.join("\n")}\n`;
    expect(counts(await imported(csv(rows)))).toEqual([5, 0, 0, 0]);
    const repeated = await imported(csv([...rows, `R${serial}-6,t6`]));
    expect(repeated.failed).toBe(0);
    for (const n of [1, 5, 6]) expect(await byNumber(`R${serial}-${n}`)).toHaveLength(1);
  });

  it("that is invalid CSV, empty, or of unknown columns is refused", async () => {
    for (const csv of ["", 'number,title\n1,"open', "colour\nred\n"]) {
      expect((await post(csv)).body, csv).toMatchObject({ status: 400, code: "invalid_request" });
    }
    expect((await post("a\n1", {}, "secrets")).body.code).toBe("not_found");
    expect((await post("number\n1", { map: '{"number":"secret"}' })).status).toBe(400);
    expect((await post("number\n1", { zone: "Mars" })).status).toBe(400);
  });
});

describe("importing files of other programs", () => {
  it("finds the delimiter of a file with semicolons, quoted or not", async () => {
    const n = `SC${serial}`;
    const plain = await imported(`Number;Title\n${n}a;one, two\n`);
    const quoted = await imported(`"Number";"Title"\n"${n}b";"x"\n`);
    expect([counts(plain), counts(quoted)]).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
    expect((await byNumber(`${n}a`))[0]?.values.title).toBe("one, two");
  });

  it.each([
    ["found by the rows", "number;title\nx;one, two\n", {}, ";"],
    ["named by the file", "sep=|\nnumber|title\nx|one\n", {}, "|"],
    ["given", "number~title\nx~one\n", { delimiter: "~" }, "~"],
    ["a tab", "number\ttitle\nx\tone\n", {}, "\t"],
  ])("says by which delimiter it was read: %s", async (_case, csv, options, delimiter) => {
    const report = await imported(csv, { ...options, dryRun: "true" });
    expect(report.format.delimiter).toBe(delimiter);
  });

  it("refuses an id that is not UTF-8, like any other cell", async () => {
    const body = Buffer.from(`id,number\nJosé,ID${serial}\n`, "latin1");
    const headers = { authorization: `Bearer ${owner.token()}`, "content-type": "text/csv" };
    const path = `${server.origin}/api/v1/tables/incidents/imports`;
    const answer = await fetch(path, { method: "POST", headers, body });
    const report = (await answer.json()) as ImportReport;
    expect(counts(report)).toEqual([0, 0, 0, 1]);
    expect(report.errors).toMatchObject([{ line: 2, field: "id", rule: "encoding" }]);
  });

  it("refuses rows that are not UTF-8 with their line, and reads them in the given encoding", async () => {
    const n = `EN${serial}`;
    const file = Buffer.from(`number,title\n${n}a,José\n${n}b,Anna\n`, "latin1");
    const send = async (query: string, body = file) => {
      const path = `/api/v1/tables/incidents/imports?${query}`;
      const headers = { authorization: `Bearer ${owner.token()}`, "content-type": "text/csv" };
      const answer = await fetch(server.origin + path, { method: "POST", headers, body });
      return (await answer.json()) as ImportReport & { status: number; line: number };
    };
    const report = await send("");
    expect(counts(report)).toEqual([1, 0, 0, 1]);
    expect(report.errors).toMatchObject([{ line: 2, field: "title", rule: "encoding" }]);
    expect(await byNumber(`${n}a`)).toEqual([]);
    expect(await send("encoding=windows-1252&key=number")).toMatchObject({ created: 1 });
    expect((await byNumber(`${n}a`))[0]?.values.title).toBe("José");
    const header = Buffer.from("number,Priorité\n1,2\n", "latin1");
    expect(await send("", header)).toMatchObject({ status: 400, line: 1 });
    expect((await send("encoding=klingon")).status).toBe(400);
  });

  it("accepts unambiguous labels of links and users", async () => {
    const make = (table: string, record: string, values: object) =>
      owner.call("POST", `/api/v1/tables/${table}/records`, { record, values });
    const n = `LB${serial}`;
    for (const [id, name] of [
      ["p1", "Anna"],
      ["p2", "Ben"],
      ["p3", "Ben"],
      ["Anna II", "p1"],
    ]) {
      expect((await make("people", `${n}${id}`, { name: `${n} ${name}` })).status).toBe(201);
    }
    const rows = [
      [`${n}1`, `${n} Anna`, ownerCredentials.email.toLowerCase()],
      [`${n}2`, `${n}p2`, ""],
      [`${n}3`, `${n} Ben`, ""],
      [`${n}4`, " nobody at all", ""],
      [`${n}5`, ` ${n} Anna `, ownerCredentials.email.toUpperCase()],
    ];
    const { body: people } = await owner.call("GET", "/api/v1/users");
    const [{ id: ownerId, name: ownerName }] = people.items as [{ id: string; name: string }];
    const csv = `number,caller,assignee\n${rows
      .map(
        ([number, caller, who]) =>
          `${number},${caller},${who?.includes("COM") ? who : who && ownerName}`,
      )
      .join("\n")}\n`;
    for (const dryRun of ["1", "0"]) {
      const report = await imported(csv, { dryRun });
      expect(counts(report), dryRun).toEqual([3, 0, 0, 2]);
      expect(report.errors).toMatchObject([
        { line: 4, field: "caller", rule: "ambiguous" },
        { line: 5, field: "caller", code: "link_broken", value: "nobody at all" },
      ]);
    }
    const values = async (number: string) => (await byNumber(number))[0]?.values;
    expect(await values(`${n}1`)).toMatchObject({ caller: `${n}p1`, assignee: ownerId });
    expect(await values(`${n}2`)).toMatchObject({ caller: `${n}p2` });
    expect(await values(`${n}5`)).toMatchObject({ caller: `${n}p1`, assignee: ownerId });
  });

  it("finds the label of a link in another case, and names all that is to be corrected in a row at once", async () => {
    const n = `LC${serial}`;
    for (const [record, name] of [
      ["a", `${n} Özdemir`],
      ["b", `${n} Twice`],
      ["c", `${n} TWICE`],
    ]) {
      const values = { name };
      await owner.call("POST", "/api/v1/tables/people/records", {
        record: `${n}${record}`,
        values,
      });
    }
    const csv = `number,caller,reassignments,assignee,state
${n}1,${n} ÖZDEMIR,1,,New
${n}2,${n} twice,many,,New
${n}3,${n} nobody,many,nobody else,New
${n}4,${n} nobody,1,,Asleep
`;
    const report = await imported(csv);
    expect(report.errors.map(({ line, field, rule }) => [line, field, rule])).toEqual([
      [3, "reassignments", "type"],
      [3, "caller", "ambiguous"],
      [4, "reassignments", "type"],
      [4, "caller", "link"],
      [4, "assignee", "link"],
      [5, "state", "option"],
      [5, "caller", "link"],
    ]);
    expect((await byNumber(`${n}1`))[0]?.values.caller).toBe(`${n}a`);
  });

  it("reports the column that gives records their ids, and refuses an id that no text can hold", async () => {
    const n = `ID${serial}`;
    const report = await imported(
      `id,number,title\n${n}a,${n}a,one\n"${n}\0b",${n}b,two\n${n}c,${n}c,three\n`,
    );
    expect(counts(report)).toEqual([2, 0, 0, 1]);
    expect(report.columns).toEqual({ id: "id", number: "number", title: "title" });
    expect(report.errors).toMatchObject([{ line: 3, field: "id", rule: "characters" }]);
  });

  it("takes codes that differ in the spaces around them for one, by a file and by REST", async () => {
    const n = `SP${serial}`;
    expect(counts(await imported(`number,title\n${n},one\n`))).toEqual([1, 0, 0, 0]);
    const again = await imported(`number,title\n " ${n}" ,one\n`.replaceAll('"', ""), {
      key: "number",
    });
    expect(counts(again)).toEqual([0, 0, 1, 0]);
    const values = { number: `${n}\u00a0`, title: "two" };
    const made = await owner.call("POST", "/api/v1/tables/incidents/records", { values });
    expect(made).toMatchObject({ status: 409, body: { code: "duplicate" } });
    expect(await byNumber(n)).toHaveLength(1);
  });

  it("writes rejected rows that no spreadsheet runs, and that are read again as they were", async () => {
    const n = `RJ${serial}`;
    const csv = `number,title,reassignments\n${n},=2+3,many\n${n}b,x;=1,many\n`;
    const { changeSet } = await imported(csv);
    const path = `/api/v1/change-sets/${changeSet}/rejects.csv`;
    const file = (await owner.call("GET", path)).body.text as string;
    const [, first = "", second = ""] = file.split("\r\n");
    expect(first).toMatch(/,'=2\+3,many$/);
    expect(second).toMatch(/,"'x;'=1",many$/);
    expect(counts(await imported(file.replaceAll("many", "1")))).toEqual([2, 0, 0, 0]);
    expect((await byNumber(n))[0]?.values.title).toBe("=2+3");
    expect((await byNumber(`${n}b`))[0]?.values.title).toBe("x;=1");
  });
});

describe("importing by a key", () => {
  const keyed = { key: "number", null: "?" };

  it("creates, updates what differs, leaves the rest, and empties on ?", async () => {
    const n = `K${serial}`;
    const first = `number,title,notes\n${n}a,one,x\n${n}b,two,y\n`;
    expect(counts(await imported(first, keyed))).toEqual([2, 0, 0, 0]);
    const second = `number,title,notes\n${n}a,one,?\n${n}b,two,y\n${n}c,three,z\n`;
    expect(counts(await imported(second, keyed))).toEqual([1, 1, 1, 0]);
    expect((await byNumber(`${n}a`))[0]?.values).toMatchObject({ title: "one", notes: null });
  });

  it("counts the last of several rows with one key, and the others as superseded", async () => {
    const n = `L${serial}`;
    const csv = `number,category,notes\n${n},one,\n${n},two,a\n${n},three,?\n${n},four,b\n${n},four,b\n`;
    const report = await imported(csv, keyed);
    expect(counts(report)).toEqual([1, 0, 0, 0]);
    expect(report).toMatchObject({ rows: 5, superseded: 4 });
    const [record, ...more] = await byNumber(n);
    expect(more).toEqual([]);
    expect(record?.values).toMatchObject({ category: "four", notes: "b" });
    const path = `/api/v1/tables/incidents/records/${record?.id}/history`;
    expect((await owner.call("GET", path)).body.total).toBe(1);
  });

  it.each([
    ["that can't be applied", "nobody", "1", "caller"],
    ["that can't be read", "", "many", "reassignments"],
  ])(
    "counts the last row also if it is one %s: nothing of earlier ones is applied",
    async (_, caller, count, field) => {
      const n = `M${serial}`;
      const rows = [
        ...[`${n}a,,a,1`, `${n}a,${caller},b,${count}`, `${n}a,,c,1`],
        ...[`${n}b,,a,1`, `${n}b,,b,1`, `${n}b,,c,1`, `${n}b,${caller},d,${count}`],
      ];
      const csv = `number,caller,notes,reassignments\n${rows.join("\n")}\n`;
      const report = await imported(csv, keyed);
      expect(counts(report)).toEqual([1, 0, 0, 1]);
      expect(report).toMatchObject({ superseded: 5, errorTotal: 1, errors: [{ line: 8, field }] });
      expect((await byNumber(`${n}a`))[0]?.values).toMatchObject({ notes: "c", caller: null });
      expect(await byNumber(`${n}b`)).toEqual([]);
    },
  );
});

describe("a dry run", () => {
  it("reports what would change and changes nothing", async () => {
    const n = `Y${serial}`;
    await imported(`number,title\n${n}a,one\n${n}b,two\n`);
    const csv = `number,title,group\n${n}a,new,\n${n}b,two,\n${n}c,three,\n${n}c,four,\n${n}d,x,nowhere\n`;
    const report = await imported(csv, { key: "number", dryRun: "true" });
    expect(report.dryRun).toBe(true);
    expect(counts(report)).toEqual([1, 1, 1, 1]);
    expect(report).toMatchObject({ rows: 5, superseded: 1, changeSet: null });
    expect(report.errors).toMatchObject([{ line: 6, field: "group", rule: "link" }]);
    const sets = (await owner.call("GET", "/api/v1/change-sets?state=draft")).body;
    expect(sets.items).toEqual([]);
    expect((await byNumber(`${n}a`))[0]?.values.title).toBe("one");
    expect(await byNumber(`${n}c`)).toEqual([]);
  });
});

describe("rights and limits", () => {
  it("are those of the importing user", async () => {
    const viewer = {
      email: "i@example.com",
      name: "I",
      role: "viewer",
      password: "a long password",
    };
    await owner.call("POST", "/api/v1/users", viewer);
    const client = await signedInClient(server.origin, viewer);
    const path = "/api/v1/tables/incidents/imports";
    const { body } = await client.call("POST", path, "title\nx\n", { "content-type": "text/csv" });
    expect(body).toMatchObject({ status: 403, code: "forbidden", right: "create" });
  });

  it("bound the file, and a refused sender gets an answer", async () => {
    const small = await startTestServer({ WATCHFLOOR_IMPORT_FILE_MAX_BYTES: "1000000" });
    await small.owner("service-desk");
    const client = await signedInClient(small.origin, ownerCredentials);
    const path = "/api/v1/tables/incidents/imports";
    const row = `${"?".repeat(999)}\n`;
    const send = async (header: string, rows: number) => {
      const body = Readable.toWeb(Readable.from([header, ...new Array<string>(rows).fill(row)]));
      const headers = { authorization: `Bearer ${client.token()}`, "content-type": "text/csv" };
      const request = { method: "POST", headers, body, duplex: "half" } as RequestInit;
      const answer = await fetch(small.origin + path, request);
      return ((await answer.json()) as { code: string }).code;
    };
    expect(await send("colour\n", 900)).toBe("invalid_request");
    expect(await send("state\n", 1_500)).toBe("too_large");
    await small.close();
  });
});
