import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import type { FieldType } from "../../../shared/model/field-types.ts";
import type { Field, Model } from "../../../shared/model/model.ts";
import { openDatabase } from "../../store/database.ts";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

const field = (name: string, type: FieldType, more: Partial<Field> = {}): Field => ({
  id: name,
  name,
  label: `The ${name}`,
  type,
  ...more,
});
const options = [
  ...["a;b", "=c", "[d"].map((value) => ({ value })),
  { value: "e", label: "Every one" },
];
/** A table with a field of every type that a file may set. */
const model: Model = {
  version: 1,
  tables: [
    {
      id: "things",
      name: "things",
      label: "Things",
      recordLabel: "thing",
      display: "title",
      columns: [],
      sort: [],
      fields: [
        field("title", "text"),
        field("story", "longText"),
        field("whole", "integer"),
        field("exact", "decimal", { scale: 3 }),
        field("price", "money", { scale: 2 }),
        field("share", "percent", { scale: 1 }),
        field("done", "boolean"),
        field("day", "date"),
        field("moment", "timestamp"),
        field("effort", "duration"),
        field("choice", "select", { options }),
        field("choices", "multiSelect", { options }),
        field("who", "person"),
        field("parent", "link", { target: "things" }),
        field("mail", "email"),
        field("site", "url"),
        field("phone", "phone"),
        field("data", "json"),
        field("external", "text", { label: "ID" }),
      ],
    },
  ],
};

const RECORDS = "/api/v1/tables/things/records";
const EXPORT = "/api/v1/tables/things/export";

let server: TestServer;
let owner: ApiClient;
let ownerId: string;

const exported = async (file: string): Promise<string> => {
  const headers = { cookie: `watchfloor_session=${owner.token()}` };
  return (await fetch(`${server.origin}${EXPORT}.${file}`, { headers })).text();
};
const jsonLines = async (query = "") =>
  (await exported(`jsonl${query}`))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe.each(databases)("an export of records on $name", (kind) => {
  const values = (): Record<string, unknown>[] => [
    { title: "plain", choice: "e", parent: "=1+1", who: ownerId, done: true, day: "2026-11-21" },
    { title: "=1+1", story: 'two\nlines, "quoted";\tand more', whole: -5, exact: "-0.125" },
    { title: "'=quoted", story: "''-twice", price: "-1234.50", share: "12.5", effort: 3600 },
    { title: "-dash", choices: ["a;b", "e"], choice: "=c", phone: "+4930123456" },
    {
      title: "@home",
      choices: ["=c", "e"],
      mail: "a@example.com",
      site: "https://example.com/?a=1,2",
    },
    { title: "José ✓ 日本", choices: ["[d"], moment: "2026-11-21T09:30:00.123456Z", done: false },
    { title: "JSON", data: { "=a": [1, "b;c", null, { deep: 9_007_199_254_740_991 }] } },
    { title: "a number", data: -5, external: "0001" },
    { story: "  \n ", mail: "b@example.com" },
    { title: "?", story: "NULL", external: "N/A" },
    { title: "\\N", story: "#N/A", data: "null", external: "null" },
    { title: "  led and trailed  ", story: "\tby a tab\n", external: " ?" },
  ];

  beforeAll(async () => {
    // Several batches for a few records.
    const environment = { PAGE_MAX_RECORDS: "2", EXPORTS_PER_USER: "1" };
    server = await startTestServer(environment, {}, kind, model);
    ownerId = await server.owner("service-desk");
    owner = await signedInClient(server.origin, ownerCredentials);
    const ids = ["=1+1", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "y1", "y2"];
    const [first = {}, ...rest] = values();
    const { parent, ...withoutLink } = first;
    const ops = [withoutLink, ...rest].map((one, at) => ({
      op: "create",
      table: "things",
      record: ids[at],
      values: one,
    }));
    const { body } = await owner.call("POST", "/api/v1/mutations", { id: "seed", ops });
    expect(body.results, JSON.stringify(body)).toMatchObject(ops.map(() => ({ ok: true })));
    const linked = await owner.call("PATCH", `${RECORDS}/x1?overwrite=true`, { set: { parent } });
    expect(linked.status).toBe(200);
  });
  afterAll(() => server.close());

  it("A4 has every record of the view in its order, as JSON lines", async () => {
    const page: unknown[] = [];
    for (let offset = 0; offset < 12; offset += 2) {
      const path = `${RECORDS}?sort=-title&offset=${offset}&limit=2`;
      page.push(...((await owner.call("GET", path)).body.records as unknown[]));
    }
    expect(page).toHaveLength(12);
    expect(await jsonLines("?sort=-title")).toEqual(page);
    const filter = encodeURIComponent(
      JSON.stringify({ field: "title", op: "startsWith", value: "'" }),
    );
    expect(await jsonLines(`?fields=title&filter=${filter}`)).toMatchObject([
      { id: "x2", values: { title: "'=quoted" } },
    ]);
  });

  it.each([
    ["csv", "text/csv; charset=utf-8"],
    ["jsonl", "application/jsonl; charset=utf-8"],
  ])("as %s says so in its type", async (format, type) => {
    const { headers } = await owner.call("GET", `${EXPORT}.${format}`);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("content-disposition")).toBe(`attachment; filename=things.${format}`);
  });

  it("as CSV has nothing that a spreadsheet runs, and numbers as they are", async () => {
    const text = await exported("csv?sort=id");
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(byId.get("'=1+1")).toMatchObject({ title: "plain", done: "true", who: ownerId });
    expect(byId.get("x1")).toMatchObject({ title: "'=1+1", whole: "-5", exact: "-0.125" });
    expect(byId.get("x2")).toMatchObject({
      title: "''=quoted",
      story: "'''-twice",
      price: "-1234.50",
    });
    expect(byId.get("x3")).toMatchObject({ title: "'-dash", phone: "'+4930123456" });
    expect(byId.get("x1")?.parent).toBe("'=1+1");
  });

  it("as CSV changes nothing when it is imported again", async () => {
    const other = openDatabase({
      ...{ connectionString: server.databaseUrl, poolSize: 1, onError: () => {} },
    });
    await other.pool.query("update things set title = $1 where id = 'x7'", ["Jose\u0301"]);
    await other.close();
    const before = await jsonLines("?sort=id");
    const { body: set } = await owner.call("POST", "/api/v1/change-sets", {});
    const path = `/api/v1/change-sets/${set.id}/import?table=things&key=id`;
    const csv = await exported("csv?sort=id");
    const { status, body } = await owner.call("POST", path, csv, { "content-type": "text/csv" });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ created: 0, updated: 0, unchanged: 12, failed: 0, ignored: [] });
    const direct = await owner.call("POST", "/api/v1/tables/things/imports?key=id", csv, {
      "content-type": "text/csv",
    });
    expect(direct.body).toMatchObject({ created: 0, updated: 0, unchanged: 12, failed: 0 });
    const after = await jsonLines("?sort=id");
    expect(after.map(({ values: now }) => now)).toEqual(before.map(({ values: now }) => now));
  });

  it("as CSV changes nothing when it is imported again, also where another program stored what no edit could", async () => {
    const other = openDatabase({
      ...{ connectionString: server.databaseUrl, poolSize: 1, onError: () => {} },
    });
    const stored = async () =>
      (await other.pool.query("select t::text as text from things t order by id")).rows;
    await other.pool.query(
      `insert into things (id, title, story, whole, exact, price, share, moment, choice, choices, mail, site, phone, data)
       values ('foreign', $1, $2, 9007199254740993, 'NaN', 123456789012345678901234567890123456.78, 'NaN',
         'infinity', 'gone', '{gone,NULL,gone}', 'nobody', 'no address', 'call me', $3::jsonb)`,
      [
        " cafe\u0301 ",
        "x".repeat(60_000),
        '{"id": 9007199254740993, "rate": 0.1234567890123456789}',
      ],
    );
    const before = await stored();
    const csv = await exported("csv?sort=id");
    for (const query of ["key=id", ""]) {
      const { body } = await owner.call("POST", `/api/v1/tables/things/imports?${query}`, csv, {
        "content-type": "text/csv",
      });
      expect(body, query).toMatchObject({ created: 0, updated: 0, unchanged: 13, failed: 0 });
    }
    expect(await stored()).toEqual(before);
    await other.pool.query("delete from things where id = 'foreign'");
    await other.close();
  });

  it("as CSV makes the same records anew, with texts that mean empty elsewhere and blanks around them", async () => {
    const before = await jsonLines("?sort=id");
    const ids = ["x9", "y1", "y2"];
    const csv = await exported("csv?sort=id");
    for (const id of ids) {
      expect((await owner.call("DELETE", `${RECORDS}/${id}?overwrite=true`)).status).toBe(204);
    }
    const { body } = await owner.call("POST", "/api/v1/tables/things/imports?key=id", csv, {
      "content-type": "text/csv",
    });
    expect(body).toMatchObject({ created: 3, updated: 0, unchanged: 9, failed: 0 });
    const after = await jsonLines("?sort=id");
    expect(after.map(({ values: now }) => now)).toEqual(before.map(({ values: now }) => now));
  });

  it("of an empty view has its columns", async () => {
    const filter = encodeURIComponent(JSON.stringify({ field: "title", op: "eq", value: "none" }));
    expect(await exported(`csv?fields=title,who&filter=${filter}`)).toBe("id,title,who\r\n");
    expect(await exported(`csv?fields=who&labels=true&filter=${filter}`)).toBe(
      "id,who,who label\r\n",
    );
    expect(await exported(`jsonl?filter=${filter}`)).toBe("");
  });

  it("begins with its columns while the first record is still looked for, and breaks off where that fails", async () => {
    const { pool, close } = openDatabase({
      ...{ connectionString: server.databaseUrl, poolSize: 2, onError: () => {} },
    });
    const other = await pool.connect();
    // Each record waits for the lock, as it waits for a long sort.
    await pool.query(`alter table things rename to stored_things;
      create view things as select * from stored_things where pg_advisory_xact_lock_shared(4711) is not null`);
    await other.query("select pg_advisory_lock(4711)");
    try {
      const headers = { cookie: `watchfloor_session=${owner.token()}` };
      const begin = async () => {
        const { body } = await fetch(`${server.origin}${EXPORT}.csv?fields=title&sort=title`, {
          headers,
        });
        const reader = (body as ReadableStream<Uint8Array>).getReader();
        expect(new TextDecoder().decode((await reader.read()).value)).toBe("id,title\r\n");
        return reader;
      };
      const broken = await begin();
      await until("the records are waited for", 30_000, async () => {
        const { rows } = await pool.query(
          `select pg_cancel_backend(pid) from pg_locks
            where locktype = 'advisory' and objid = 4711 and not granted`,
        );
        return rows.length > 0;
      });
      await expect(broken.read()).rejects.toThrow();
      const whole = await begin();
      await other.query("select pg_advisory_unlock_all()");
      expect((await whole.read()).done).toBe(false);
    } finally {
      await other.query("select pg_advisory_unlock_all()");
      await pool.query("drop view things; alter table stored_things rename to things");
      other.release();
      await close();
    }
  });

  it("may name users and linked records beside their ids", async () => {
    const text = await exported("csv?fields=who,parent&labels=true&sort=id");
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    expect(rows).toContainEqual({
      id: "'=1+1",
      ...{ who: ownerId, "who label": "Owner", parent: "", "parent label": "" },
    });
    expect(rows).toContainEqual({
      id: "x1",
      ...{ who: "", "who label": "", parent: "'=1+1", "parent label": "plain" },
    });
  });

  it("may be for reading: by labels, and with times of the zone of the view", async () => {
    const fields = "fields=title,who,parent,choice,choices,moment,done";
    const rows: string[][] = parse(
      await exported(`csv?${fields}&readable=true&zone=Asia/Tokyo&sort=id`),
      { bom: true },
    );
    const [head, first] = rows;
    const names = ["title", "who", "parent", "choice", "choices", "moment", "done"];
    expect(head).toEqual(names.map((name) => `The ${name}`));
    expect(first).toEqual(["plain", "Owner", "", "Every one", "", "", "true"]);
    const rowOf = (start: string) => rows.find(([title]) => title?.startsWith(start));
    expect(rowOf("'=1+1")?.[2]).toBe("plain");
    expect(rowOf("'@home")?.[4]).toBe("'=c, Every one");
    expect(rowOf("José")?.[5]).toBe("2026-11-21 18:30:00");
  });

  it("beyond those that may wait is refused by a status", async () => {
    const answers = Array.from({ length: 20 }, () => owner.call("GET", `${EXPORT}.jsonl`));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(await jsonLines()).toHaveLength(12);
  });

  it("is a security event with its view", async () => {
    await exported("csv?search=plain");
    const { body } = await owner.call("GET", "/api/v1/security-events?limit=1");
    expect(body.items).toMatchObject([
      {
        kind: "records_exported",
        actor: { id: ownerId },
        detail: { file: "things.csv", table: "things", view: expect.stringContaining("plain") },
      },
    ]);
  });

  it("needs the right to export, and shows nothing beyond the reader's scope", async () => {
    const grants = {
      things: {
        read: { filter: { field: "done", op: "eq", value: true }, hide: ["who"] },
        export: true,
      },
    };
    const role = await owner.call("POST", "/api/v1/roles", { name: kind.name, rights: [], grants });
    const add = async (name: string, roleId: unknown) => {
      const login = { email: `${name}@example.com`, password: "a long password" };
      await owner.call("POST", "/api/v1/users", { ...login, name, role: roleId });
      return signedInClient(server.origin, login);
    };
    const viewer = await add("viewer", "viewer");
    expect((await viewer.call("GET", `${EXPORT}.csv`)).body).toMatchObject({
      code: "forbidden",
      right: "export",
    });
    const partial = await add("partial", role.body.id);
    const rows: object[] = parse((await partial.call("GET", `${EXPORT}.csv`)).body.text as string, {
      columns: true,
      bom: true,
    });
    expect(rows).toMatchObject([{ id: "'=1+1", title: "plain" }]);
    expect(rows[0]).not.toHaveProperty("who");
    expect((await partial.call("GET", `${EXPORT}.csv?fields=who`)).body.code).toBe(
      "invalid_request",
    );
  });
});
