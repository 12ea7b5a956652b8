import { describe, expect, it } from "vitest";
import { requestOf } from "../../../shared/protocol/call.ts";
import { type ApiAnswer, signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const INCIDENTS = "/api/v1/tables/incidents/records";

const GROUPS = "/api/v1/tables/groups/records";

const { server, owner, member } = await serveTests("service-desk");

const create = async (values: object) => (await owner.call("POST", INCIDENTS, { values })).body;
const at = (record: Record<string, unknown>, tail = "") => `${INCIDENTS}/${record.id}${tail}`;
const ids = ({ body }: ApiAnswer) => (body.records as { id: string }[]).map(({ id }) => id);

describe("creating a record", () => {
  it("answers 201, the whole record and its address", async () => {
    const { status, body, headers } = await owner.call("POST", INCIDENTS, {
      values: { title: "No net", impact: "1 - High", urgency: "2 - Medium" },
    });
    expect(status).toBe(201);
    const derived = { title: "No net", priority: "2 - High", state: "New", notes: null };
    expect(body.values).toMatchObject(derived);
    expect(headers.get("location")).toBe(at(body));
    expect(headers.get("etag")).toBe(`"${body.version}"`);
    expect((await owner.call("GET", at(body))).body.values).toEqual(body.values);
  });

  it("uses an id chosen by the client, also one that needs escaping", async () => {
    const call = { record: "a b/ü", values: { title: "x" } };
    const { headers } = await owner.call("POST", INCIDENTS, call);
    const location = headers.get("location") ?? "";
    expect(location).toBe(`${INCIDENTS}/a%20b%2F%C3%BC`);
    expect((await owner.call("GET", location)).body.id).toBe("a b/ü");
  });

  it("has an address for each id, which reaches that record and no other", async () => {
    const all = ["a/b", "a%2Fb", "a#b", "a?b=c", "a+b", "a&b", "/", "x/../y", "y", "%", " ", "..."];
    for (const id of all) {
      const call = { record: id, values: { title: `Record ${id}` } };
      const { headers } = await owner.call("POST", INCIDENTS, call);
      const location = headers.get("location") ?? "";
      expect((await owner.call("GET", location)).body.id).toBe(id);
      const set = { set: { notes: id } };
      expect((await owner.call("PATCH", `${location}?overwrite=true`, set)).body.id).toBe(id);
      expect((await owner.call("GET", `${location}/history`)).status).toBe(200);
    }
    for (const id of all) {
      const { path } = requestOf("DELETE /tables/{table}/records/{id}", {
        params: { table: "incidents", id },
      });
      expect((await owner.call("DELETE", `/api/v1${path}?overwrite=true`)).status).toBeLessThan(
        300,
      );
      const filter = encodeURIComponent(JSON.stringify({ field: "id", op: "in", value: all }));
      const left = ids(await owner.call("GET", `${INCIDENTS}?filter=${filter}`));
      expect(left.sort()).toEqual(all.slice(all.indexOf(id) + 1).sort());
    }
  });

  it("creates one record for two requests with the same Idempotency-Key", async () => {
    const key = { "idempotency-key": "once" };
    const call = { values: { title: "only one" } };
    const first = await owner.call("POST", INCIDENTS, call, key);
    const second = await owner.call("POST", INCIDENTS, call, key);
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    const other = await owner.call("POST", INCIDENTS, { values: { title: "other" } }, key);
    expect(other.body).toMatchObject({ status: 422, code: "mutation_mismatch" });
  });
});

describe("editing a record", () => {
  it("returns the record if each field still holds the value that the author saw", async () => {
    const record = await create({ title: "a", notes: "n" });
    const { status, body } = await owner.call("PATCH", at(record), {
      set: { title: "b" },
      base: { title: "a" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: record.id, values: { title: "b", notes: "n" } });
    expect(body.version).not.toBe(record.version);
  });

  it("returns mine, theirs and the base if a field holds another value", async () => {
    const record = await create({ title: "a" });
    await owner.call("PATCH", at(record), { set: { title: "b" }, base: { title: "a" } });
    const late = { set: { title: "c" }, base: { title: "a" } };
    const { body } = await owner.call("PATCH", at(record), late);
    const clash = { base: "a", mine: "c", theirs: "b", by: { kind: "user" } };
    expect(body).toMatchObject({ status: 409, code: "conflict", fields: { title: clash } });
  });

  it("compares the version of the whole record with If-Match", async () => {
    const record = await create({ title: "a" });
    const stale = { "if-match": `"${record.version}"` };
    const set = { set: { title: "b" } };
    expect((await owner.call("PATCH", at(record), set, stale)).status).toBe(200);
    const repeated = await owner.call("PATCH", at(record), { set: { title: "c" } }, stale);
    expect(repeated.body).toMatchObject({ status: 409, code: "conflict" });
  });

  it("refuses an edit without base and version, unless it overwrites explicitly", async () => {
    const record = await create({ title: "a" });
    const set = { set: { title: "b" } };
    const { body } = await owner.call("PATCH", at(record), set);
    expect(body).toMatchObject({ status: 428, code: "base_required" });
    const over = await owner.call("PATCH", at(record, "?overwrite=true"), set);
    expect(over.body.values).toMatchObject({ title: "b" });
    const any = await owner.call("PATCH", at(record), set, { "if-match": "*" });
    expect(any.status).toBe(200);
  });
});

describe("deleting a record", () => {
  it("needs the version or an explicit overwrite, answers `deleted`, and can be undone", async () => {
    const record = await create({ title: "gone soon" });
    expect((await owner.call("DELETE", at(record))).body.code).toBe("base_required");
    const match = { "if-match": `"${record.version}"` };
    expect((await owner.call("DELETE", at(record), undefined, match)).status).toBe(204);
    const gone = await owner.call("GET", at(record));
    const deletion = { by: { kind: "user" }, restorable: true };
    expect(gone.body).toMatchObject({ status: 410, code: "record_deleted", ...deletion });
    const older = await owner.call("POST", at(record, "/restore"), undefined, match);
    expect(older.body).toMatchObject({ status: 410, code: "record_deleted" });
    const back = await owner.call("POST", at(record, "/restore"));
    expect(back.body).toMatchObject({ id: record.id, values: record.values });
    const over = at(record, "?overwrite=true");
    expect((await owner.call("DELETE", over)).status).toBe(204);
  });
});

describe("a page", () => {
  it("filters, searches, sorts, selects fields and names its position", async () => {
    const mark = `page ${Math.random()}`;
    const [a, b] = [await create({ title: `${mark} a` }), await create({ title: `${mark} b` })];
    const filter = encodeURIComponent(
      JSON.stringify({ field: "title", op: "startsWith", value: mark }),
    );
    const page = await owner.call("GET", `${INCIDENTS}?filter=${filter}&sort=-title&fields=title`);
    expect(ids(page)).toEqual([b.id, a.id]);
    expect(page.body).toMatchObject({ total: 2, totalExact: true });
    expect(page.body.records).toMatchObject([{ values: { title: `${mark} b` } }, {}]);
    expect(`${page.body.epoch}.${page.body.seq}`).toMatch(/^\w+\.\d+$/);
    const second = `${INCIDENTS}?search=${encodeURIComponent(mark)}&sort=title&limit=1&offset=1`;
    expect(ids(await owner.call("GET", second))).toEqual([b.id]);
  });

  it.each(["$me", "$now", "$me.group"])(
    "finds the text %s, which is not a variable there",
    async (text) => {
      const { id } = await create({ title: `costs ${text} twice` });
      expect(
        ids(await owner.call("GET", `${INCIDENTS}?search=${encodeURIComponent(text)}`)),
      ).toContain(id);
    },
  );

  it.each([
    ["filter={", 400],
    ["filter=%7B%22field%22%3A%22secret%22%2C%22op%22%3A%22eq%22%2C%22value%22%3A1%7D", 400],
    ["sort=secret", 400],
    ["fields=secret", 400],
    ["limit=-1", 400],
    ["limit=1&limit=2", 400],
    ["offset=x", 400],
    ["colour=red", 400],
    ["limit=1001", 413],
  ])("with %s is refused by %i", async (query, status) => {
    const answer = await owner.call("GET", `${INCIDENTS}?${query}`);
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(status === 400 ? "invalid_request" : "too_large");
  });

  it("of a missing table is not found", async () => {
    const { body } = await owner.call("GET", "/api/v1/tables/secrets/records");
    expect(body.code).toBe("not_found");
  });
});

describe("history and changes", () => {
  it("show the author, the fields, and their values before and after", async () => {
    const record = await create({ title: "a" });
    await owner.call("PATCH", at(record), { set: { title: "b" }, base: { title: "a" } });
    const { body } = await owner.call("GET", at(record, "/history"));
    expect(body.items).toMatchObject([
      { kind: "update", by: { kind: "user" }, fields: { title: { before: "a", after: "b" } } },
      { kind: "insert" },
    ]);
    const [{ seq }, first] = body.items as [{ seq: number }, unknown];
    const { body: earlier } = await owner.call("GET", at(record, `/history?before=${seq}`));
    expect(earlier.items).toEqual([first]);
  });

  it("return the log after a position", async () => {
    const record = await create({ title: "a" });
    await owner.call("PATCH", at(record), { set: { title: "b" }, base: { title: "a" } });
    const { body } = await owner.call(
      "GET",
      `/api/v1/changes?table=incidents&after=${record.version}`,
    );
    expect(body.items).toMatchObject([{ kind: "update", record: record.id, set: { title: "b" } }]);
    const elsewhere = await owner.call("GET", "/api/v1/changes?table=incidents&after=other.1");
    expect(elsewhere.body).toMatchObject({ status: 410, code: "resync_required" });
  });

  it("return the newest changes of all tables, newest first; a position needs a table", async () => {
    const record = await create({ title: "a" });
    await owner.call("POST", "/api/v1/tables/groups/records", { values: { name: "Newest" } });
    const { body } = await owner.call("GET", "/api/v1/changes?limit=2");
    expect(body.items).toMatchObject([
      { table: "groups", kind: "insert", record: "Newest" },
      { table: "incidents", kind: "insert", record: record.id },
    ]);
    const after = await owner.call("GET", `/api/v1/changes?after=${record.version}`);
    expect(after.body).toMatchObject({ status: 400, code: "invalid_request", at: "table" });
  });
});

describe("many ops at once", () => {
  const title = (text: string) => ({ op: "create", table: "incidents", values: { title: text } });

  it("have an outcome each, in order, and the same outcomes for a repeat", async () => {
    const call = { id: "many", ops: [title("one"), title("x".repeat(501)), title("three")] };
    const { status, body } = await owner.call("POST", "/api/v1/mutations", call);
    expect(status).toBe(200);
    const refused = { ok: false, error: { code: "validation_failed" } };
    expect(body.results).toMatchObject([{ ok: true }, refused, { ok: true }]);
    expect((await owner.call("POST", "/api/v1/mutations", call)).body).toEqual(body);
  });

  it("are all or nothing with `atomic`", async () => {
    const call = { id: "all", atomic: true, ops: [title("one"), title("x".repeat(501))] };
    const { body } = await owner.call("POST", "/api/v1/mutations", call);
    const codes = (body.results as { error: { code: string } }[]).map(({ error }) => error.code);
    expect(codes).toEqual(["aborted", "validation_failed"]);
  });
});

describe("a viewer", () => {
  it("reads and changes nothing", async () => {
    const viewer = {
      email: "v@example.com",
      name: "V",
      role: "viewer",
      password: "a long password",
    };
    await owner.call("POST", "/api/v1/users", viewer);
    const client = await signedInClient(server.origin, viewer);
    const record = await create({ title: "a" });
    expect((await client.call("GET", at(record))).status).toBe(200);
    const edit = { set: { title: "b" }, base: { title: "a" } };
    const forbidden = { status: 403, code: "forbidden" };
    expect((await client.call("PATCH", at(record), edit)).body).toMatchObject(forbidden);
    expect((await client.call("POST", INCIDENTS, { values: {} })).body).toMatchObject(forbidden);
    const over = at(record, "?overwrite=true");
    expect((await client.call("DELETE", over)).body).toMatchObject(forbidden);
  });
});

it.each([".", ".."])("a record called %s is refused: it would have no address", async (record) => {
  const { status, body } = await owner.call("POST", INCIDENTS, { values: {}, record });
  expect([status, body.fields]).toMatchObject([422, { id: { rule: "address" } }]);
});

it("restores a record for who may create, and not for who may only delete", async () => {
  const grants = (name: "create" | "delete") => ({
    incidents: { read: true, history: true, [name]: true },
  });
  const statuses: Record<string, unknown> = {};
  for (const right of ["create", "delete"] as const) {
    const call = { name: `May ${right}`, rights: [], grants: grants(right) };
    const role = await owner.call("POST", "/api/v1/roles", call);
    const login = { email: `${right}@example.com`, password: "a long password" };
    await owner.call("POST", "/api/v1/users", { ...login, name: right, role: role.body.id });
    const user = await signedInClient(server.origin, login);
    const record = await create({ title: "comes back" });
    await owner.call("DELETE", at(record, "?overwrite=true"));
    statuses[right] = (await user.call("POST", at(record, "/restore"))).status;
  }
  expect(statuses).toEqual({ create: 200, delete: 403 });
});

describe("creating or editing by a key", () => {
  const put = (values: object, key = "number") =>
    owner.call("PUT", `${INCIDENTS}?key=${key}`, { values });

  it("creates the record, edits it by what differs, and writes nothing that is equal", async () => {
    const created = await put({ number: "K-1", title: "Printer on fire", notes: "floor 2" });
    expect(created.status).toBe(201);
    expect(created.headers.get("location")).toBe(at(created.body));
    const edited = await put({ number: "K-1", title: "Printer smokes", notes: "floor 2" });
    expect(edited.status).toBe(200);
    expect(edited.body).toMatchObject({ id: created.body.id, values: { title: "Printer smokes" } });
    const again = await put({ number: "K-1", title: "Printer smokes" });
    expect(again).toMatchObject({ status: 200, body: { version: edited.body.version } });
    const { body } = await owner.call("GET", at(created.body, "/history"));
    const [edit] = body.items as { fields: object }[];
    expect(body.total).toBe(2);
    expect(Object.keys(edit?.fields ?? {})).toEqual(["title"]);
  });

  it("makes one record of many calls at once, and leaves the values of the last one", async () => {
    const calls = [1, 2, 3, 4].map((n) => put({ number: "K-2", notes: `from ${n}`, title: "x" }));
    const answers = await Promise.all(calls);
    const done = answers.filter(({ status }) => status < 300);
    expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of answers) expect([200, 201, 409]).toContain(status);
  });

  it("refuses a value that several records have, none at all, and a field that is not there", async () => {
    await create({ title: "twice" });
    await create({ title: "twice" });
    const both = await put({ title: "twice" }, "title");
    expect(both).toMatchObject({ status: 409, body: { code: "duplicate" } });
    for (const [values, key] of [
      [{ title: "x" }, "number"],
      [{ title: "x" }, "no_such_field"],
      [{ number: "K-3", no_such_field: 1 }, "number"],
    ] as const) {
      expect(await put(values, key)).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
    }
    expect(await owner.call("PUT", INCIDENTS, { values: { number: "K-4" } })).toMatchObject({
      status: 400,
    });
  });
});

describe("expanding links", () => {
  const expanded = (query: string, client = owner) =>
    client.call("GET", `${INCIDENTS}?${query}`).then(({ status, body }) => [status, body] as const);

  it("answers beside a page what its links and users are, each once, and of a record the same", async () => {
    for (const id of ["$me", "g2"]) {
      await owner.call("POST", GROUPS, { record: id, values: { name: `Group ${id}` } });
    }
    const { id: me } = (await owner.call("GET", "/api/v1/session")).body.user as { id: string };
    const both = { group: "$me", assignee: me };
    const [first] = [
      await create({ title: "expand", ...both }),
      await create({ title: "expand", ...both }),
    ];
    await create({ title: "expand", group: "g2" });
    const [, page] = await expanded("search=expand&expand=group,assignee");
    const { group, assignee } = page.expanded as Record<string, Record<string, object>>;
    expect(Object.keys(group ?? {}).sort()).toEqual(["$me", "g2"]);
    expect(group?.$me).toMatchObject({ name: "Group $me" });
    expect(assignee).toEqual({ [me]: { name: expect.any(String) } });
    const one = (await owner.call("GET", `${at(first ?? {})}?expand=group`)).body;
    expect(one).toMatchObject({ id: first?.id, expanded: { group: { $me: {} } } });
    expect((await expanded("search=expand"))[1]).not.toHaveProperty("expanded");
  });

  it("leaves out what the caller may not read: records, their fields, the table", async () => {
    await owner.call("POST", GROUPS, { record: "closed", values: { name: "Closed" } });
    await create({ title: "half", group: "closed" });
    await create({ title: "half", group: "g2" });
    const groups = { read: { filter: { field: "id", op: "ne", value: "closed" }, hide: ["name"] } };
    const seen = async (grants: object) => {
      const { body } = await owner.call("POST", "/api/v1/roles", {
        name: crypto.randomUUID(),
        rights: [],
        grants,
      });
      const client = await member(String(body.id));
      const [, page] = await expanded("search=half&expand=group", client);
      return page.expanded;
    };
    const { group: visible } = (await seen({ incidents: { read: true }, groups })) as {
      group: Record<string, object>;
    };
    const group = visible.g2;
    expect(group).not.toHaveProperty("name");
    expect(await seen({ incidents: { read: true }, groups })).toEqual({ group: { g2: group } });
    expect(await seen({ incidents: { read: true } })).toEqual({ group: {} });
  });

  it.each([
    ["a field that is no link", "expand=title"],
    ["a field that is not returned", "fields=title&expand=group"],
    ["no field", "expand=nothing"],
    ["more than ten", `expand=${Array(11).fill("assignee").join(",")}`],
  ])("refuses %s", async (_what, query) => {
    expect((await expanded(query))[0]).toBe(400);
  });
});
