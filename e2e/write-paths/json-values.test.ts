import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../shared/filter/filter.ts";
import type { Model, Table } from "../../shared/model/model.ts";
import type { HistoryEntry } from "../../shared/protocol/records.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type OpenCore, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { Watcher } from "../harness/watcher.ts";
import { databases } from "../provision/databases.ts";

const TABLE = "probes";
const probes: Table = {
  ...{ name: TABLE, label: "Probes", recordLabel: "probe", display: "number" },
  ...{ columns: ["number", "data"], sort: ["number"], idFrom: "number" },
  fields: [
    { name: "number", label: "Number", type: "text", required: true, unique: true, indexed: true },
    { name: "data", label: "Data", type: "json" },
  ],
};

/** Written as text: a literal would set the prototype. */
const RESERVED = '{"__proto__": {"a": 1}, "constructor": {"prototype": [{"__proto__": null}]}}';
const reserved = () => JSON.parse(RESERVED) as { [key: string]: Json };

describe.each(databases)("M6 JSON values on $name", (kind) => {
  let installation: TestInstallation;
  let ann: TestUser;
  let page: OpenCore;
  let screen: Watcher;
  let serial = 0;
  let record = "";

  beforeAll(async () => {
    installation = await TestInstallation.openInProcess({ kind });
    const { document } = await installation.ownerUser.call<{ document: Model }>(
      "GET",
      "/model/versions/current",
    );
    document.tables.push(probes);
    await installation.ownerUser.call("PUT", "/model", document);
    await installation.program.query(
      "insert into probes (id, number) select 'p' || n, 'p' || n from generate_series(1, 20) n",
    );
    ann = await addUser(installation.server.url, installation.ownerUser, "Ann");
    page = ann.open();
    screen = await Watcher.open(ann, page, TABLE);
  });
  afterAll(async () => {
    await screen[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    serial += 1;
    record = `p${serial}`;
  });

  const { stringify } = JSON;
  /** Another program stores a value; the open screen shows it. */
  async function given(text: string): Promise<void> {
    const query = "update probes set data = $2::jsonb where id = $1";
    await installation.program.query(query, [record, text]);
    await shows(text);
  }
  /** The text of the column; null for the null of SQL. */
  async function stored(): Promise<string | null> {
    const query = "select data::text as data from probes where id = $1";
    return (await installation.program.query(query, [record])).rows[0]?.data ?? null;
  }
  async function storedIs(text: string): Promise<void> {
    const found = await stored();
    expect(found && written(JSON.parse(found))).toBe(written(JSON.parse(text)));
  }
  const shows = (text: string | null) =>
    until(`${record} shows ${text}`, 60_000, () => {
      const values = screen.values(record);
      return written(values?.data ?? null) === written(text === null ? null : JSON.parse(text));
    });
  /** The two ways in: each returns the code of its refusal, or null. */
  const ways: [string, (value: Json, base: Json) => Promise<string | null>][] = [
    [
      "REST",
      async (value, base) => {
        const body = { set: { data: value }, base: { data: base } };
        const path = `/tables/${TABLE}/records/${record}`;
        const refused = await ann.call("PATCH", path, body).then(() => null, String);
        return refused && (/"code":"(\w+)"/.exec(refused)?.[1] ?? refused);
      },
    ],
    [
      "the socket",
      async (value, base) => {
        const edit = { record, set: { data: value }, base: { data: base } };
        const taken = page.core.edits.edit(TABLE, edit);
        const outcome = await taken.outcome;
        for (const ref of taken.refs) page.core.edits.drop(ref);
        return outcome.kind === "refused" ? outcome.code : null;
      },
    ],
  ];

  describe.each(ways)("by %s", (_way, write) => {
    it.each(["[]", '""'])(
      "%s is a value, which null replaces and which replaces null",
      async (text) => {
        await given(text);
        expect(await write(null, JSON.parse(text))).toBeNull();
        expect(await stored()).toBeNull();
        await shows(null);
        expect(await write(JSON.parse(text), null)).toBeNull();
        await storedIs(text);
        await shows(text);
      },
    );

    it.each(["[]", '""'])("an edit of null conflicts with %s", async (text) => {
      await given(text);
      expect(await write({ mine: 1 }, null)).toBe("conflict");
      await storedIs(text);
    });

    it("a key that every object has is read, edited and conflicts like others", async () => {
      await given(RESERVED);
      const { data } = (await ann.record(TABLE, record)).values;
      expect(written(data ?? null)).toBe(written(reserved()));
      const next = { ...reserved(), more: true };
      expect(await write(next, data ?? null)).toBeNull();
      await storedIs(stringify(next));
      await shows(stringify(next));
      expect(await write({ mine: 1 }, reserved())).toBe("conflict");
      expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
    });
  });

  it("is exported and imported unharmed, whatever its keys, and unchanged where it is the same", async () => {
    for (const text of [RESERVED, "[]", '""']) {
      serial += 1;
      record = `p${serial}`;
      await given(text);
    }
    const rest = async (method: string, path: string, body?: string) => {
      const headers = { authorization: `Bearer ${ann.token}`, "content-type": "text/csv" };
      const init = { method, headers, ...(body !== undefined && { body }) };
      return (await fetch(`${installation.server.url}/api/v1${path}`, init)).text();
    };
    const file = await rest("GET", `/tables/${TABLE}/export.csv`);
    const imported = async () =>
      JSON.parse(await rest("POST", `/tables/${TABLE}/imports?key=number`, file)) as object;
    expect(await imported()).toMatchObject({ created: 0, updated: 0, failed: 0 });
    await installation.program.query("update probes set data = null where id = any($1)", [
      [0, 1, 2].map((back) => `p${serial - back}`),
    ]);
    expect(await imported()).toMatchObject({ created: 0, updated: 3, failed: 0 });
    await storedIs('""');
    record = `p${serial - 1}`;
    await storedIs("[]");
    record = `p${serial - 2}`;
    await storedIs(RESERVED);
  });

  it("is drafted, applied, shown in history and reverted unharmed", async () => {
    await given(RESERVED);
    const next = stringify({ ...reserved(), next: [] });
    const op = { op: "update", table: TABLE, record };
    const edit = `{"set":{"data":${next}},"base":{"data":${RESERVED}}}`;
    const ops = [{ ...op, ...(JSON.parse(edit) as object) }];
    const { id } = await ann.call<{ id: string }>("POST", "/change-sets", { ops });
    await ann.call("POST", `/change-sets/${id}/apply`, { atomic: true });
    await storedIs(next);
    const path = `/tables/${TABLE}/records/${record}/history`;
    const { items } = await ann.call<{ items: HistoryEntry[] }>("GET", path);
    const { before = null, after = null } = items[0]?.fields.data ?? {};
    expect([written(before), written(after)]).toEqual([
      written(reserved()),
      written(JSON.parse(next)),
    ]);
    const revert = await ann.call<{ id: string }>("POST", `/change-sets/${id}/revert`, {});
    await ann.call("POST", `/change-sets/${revert.id}/apply`, { atomic: true });
    await storedIs(RESERVED);
  });

  it("is refused where a name is expected, not dropped", async () => {
    await given("[]");
    const path = `/tables/${TABLE}/records/${record}`;
    const body = JSON.parse('{"set":{"__proto__":1,"data":1},"base":{"data":[]}}') as object;
    await expect(ann.call("PATCH", path, body)).rejects.toThrow(/400.*__proto__/);
    await storedIs("[]");
  });
});

/** A value as text, whatever the order of its keys. */
function written(value: Json): string {
  const ordered = (one: Json): Json => {
    if (typeof one !== "object" || one === null) return one;
    if (Array.isArray(one)) return one.map(ordered);
    const keys = Object.keys(one).sort();
    return Object.fromEntries(keys.map((key) => [key, ordered(one[key] ?? null)]));
  };
  return JSON.stringify(ordered(value));
}
