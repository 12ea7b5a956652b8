import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { sweepComments } from "../../store/comments.ts";
import { openDatabase } from "../../store/database.ts";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const API = "/api/v1";
const COMMENTS = `${API}/comments`;
const INCIDENTS = `${API}/tables/incidents/records`;
const password = "a long password";

interface Member extends ApiClient {
  id: string;
}
interface Item {
  id: string;
  text: string;
  unread: boolean;
}

const { server, owner } = await serveTests("service-desk");
let network: Member;
let database: Member;
let made = 0;

beforeAll(async () => {
  for (const name of ["Network", "Database"]) {
    await owner.call("POST", `${API}/tables/groups/records`, { record: name, values: { name } });
  }
  network = await memberOf("Network");
  database = await memberOf("Database");
});

/** A user who reads and comments the incidents of one group. */
async function memberOf(group: string, grant: object = { comment: true, history: true }) {
  const read = { filter: { field: "group", op: "eq", value: "$me.group" } };
  const grants = { incidents: { read, update: true, create: true, ...grant } };
  const role = await owner.call("POST", `${API}/roles`, { name: `R${++made}`, rights: [], grants });
  const email = `c${++made}@example.com`;
  const call = { email, name: `User ${made}`, role: role.body.id, password, attributes: { group } };
  const { body } = await owner.call("POST", `${API}/users`, call);
  const client = await signedInClient(server.origin, { email, password });
  return Object.assign(client, { id: String(body.id) });
}

async function incident(group = "Network", values: object = {}): Promise<string> {
  const call = { values: { title: "Down", group, ...values } };
  return String((await owner.call("POST", INCIDENTS, call)).body.id);
}

async function comment(by: ApiClient, record: string, text = "Looks bad"): Promise<string> {
  const { body, status } = await by.call("POST", COMMENTS, { table: "incidents", record, text });
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body.id);
}

async function listed(by: ApiClient, query: string): Promise<Item[]> {
  const { body, status } = await by.call("GET", `${COMMENTS}?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.items as Item[];
}

const thread = (record: string) => `table=incidents&record=${record}`;
const textsOf = (items: Item[]) => items.map(({ text }) => text);

describe("a comment", () => {
  it("is written, edited, resolved, reopened, removed and restored", async () => {
    const record = await incident();
    const id = await comment(network, record, "  Cafe\u0301 is down  ");
    const path = `${COMMENTS}/${id}`;
    const author = { kind: "user", id: network.id, name: expect.any(String) };
    expect((await owner.call("GET", path)).body).toMatchObject({
      table: "incidents",
      record,
      author,
      text: "Café is down",
      edited: null,
      resolved: null,
      unread: true,
    });
    const edited = await network.call("PATCH", path, { text: "Café was down" });
    expect(edited.body).toMatchObject({ text: "Café was down", edited: expect.any(String) });
    const resolved = await owner.call("PATCH", path, { resolved: true });
    expect(resolved.body).toMatchObject({ resolved: { by: { kind: "user" } } });
    expect((await network.call("PATCH", path, { resolved: false })).body.resolved).toBeNull();
    expect((await network.call("DELETE", path)).status).toBe(204);
    expect([(await owner.call("GET", path)).status, await listed(owner, thread(record))]).toEqual([
      404,
      [],
    ]);
    expect((await owner.call("POST", `${path}/restore`)).status).toBe(404);
    expect((await network.call("POST", `${path}/restore`)).body).toMatchObject({ id });
    expect(textsOf(await listed(owner, thread(record)))).toEqual(["Café was down"]);
  });

  it("is not restored by an author who has lost the right to comment", async () => {
    const author = await memberOf("Network");
    const path = `${COMMENTS}/${await comment(author, await incident())}`;
    await author.call("DELETE", path);
    await owner.call("PATCH", `${API}/users/${author.id}`, { role: "viewer" });
    const { status, body } = await author.call("POST", `${path}/restore`);
    expect({ status, body }).toMatchObject({ status: 403, body: { right: "comment" } });
  });

  it("K1 is edited by its author only, and removed by users with the right activity too", async () => {
    const record = await incident();
    const path = `${COMMENTS}/${await comment(owner, record)}`;
    expect((await network.call("PATCH", path, { text: "Mine" })).body.code).toBe("forbidden");
    expect((await network.call("DELETE", path)).body.code).toBe("forbidden");
    const theirs = `${COMMENTS}/${await comment(network, record)}`;
    expect((await owner.call("PATCH", theirs, { text: "Mine" })).body.code).toBe("forbidden");
    expect((await owner.call("DELETE", theirs)).status).toBe(204);
  });

  it.each([
    ["empty", "  "],
    ["with NUL", "a\0b"],
    ["too long", "x".repeat(10_001)],
    ["with too many mentions", Array.from({ length: 21 }, (_, n) => `<@u${n}>`).join("")],
  ])("is refused if its text is %s", async (_, text) => {
    const call = { table: "incidents", record: await incident(), text };
    expect((await owner.call("POST", COMMENTS, call)).body.code).toBe("invalid_request");
  });

  it("K1 needs the grant comment, also to resolve; reading the record is enough to read it", async () => {
    const reader = await memberOf("Network", {});
    const record = await incident();
    const id = await comment(network, record);
    const call = { table: "incidents", record, text: "Hello" };
    for (const refused of [
      await reader.call("POST", COMMENTS, call),
      await reader.call("PATCH", `${COMMENTS}/${id}`, { resolved: true }),
      await reader.call("GET", `${COMMENTS}/mentionable?${thread(record)}`),
    ]) {
      expect(refused.body).toMatchObject({ code: "forbidden", right: "comment" });
    }
    expect(textsOf(await listed(reader, thread(record)))).toEqual(["Looks bad"]);
  });

  it("K2 is accepted on a record whose fields are all locked", async () => {
    const record = await incident();
    const path = `${INCIDENTS}/${record}/transitions`;
    await owner.call("POST", `${path}/resolve`, {
      from: "New",
      set: { resolution_code: "Solved" },
    });
    const { body } = await owner.call("POST", `${path}/close`, { from: "Resolved" });
    expect(JSON.stringify(body)).toContain("Closed");
    await comment(network, record, "Thank you");
  });

  it("is erased 30 days after it was removed, and not before", async () => {
    const record = await incident();
    const live = await comment(owner, record, "Kept");
    const removed = await comment(owner, record, "Removed");
    await owner.call("DELETE", `${COMMENTS}/${removed}`);
    const program = new pg.Client({ connectionString: server.databaseUrl });
    await program.connect();
    const store = openDatabase({
      connectionString: server.databaseUrl,
      poolSize: 1,
      onError: () => {},
    });
    await sweepComments(store.kysely);
    await owner.call("POST", `${COMMENTS}/${removed}/restore`);
    await owner.call("DELETE", `${COMMENTS}/${removed}`);
    await program.query(
      `update watchfloor.comment set created_at = created_at - interval '9 years',
        removed_at = removed_at - interval '31 days' where record = $1`,
      [record],
    );
    expect((await owner.call("POST", `${COMMENTS}/${removed}/restore`)).status).toBe(404);
    await sweepComments(store.kysely);
    const { rows } = await program.query("select id from watchfloor.comment where record = $1", [
      record,
    ]);
    expect(rows).toEqual([{ id: live }]);
    await store.close();
    await program.end();
  });
});

describe("the scope of a record", () => {
  it("K1 hides its comments, by every path, like those of a missing record", async () => {
    const record = await incident("Network");
    const id = await comment(network, record, "secret words");
    const unknown = [
      await database.call("GET", `${COMMENTS}/no-such-comment`),
      await database.call("GET", `${COMMENTS}?${thread("no-such-record")}`),
    ];
    const call = { table: "incidents", record, text: "Hello" };
    const hidden = [
      await database.call("GET", `${COMMENTS}/${id}`),
      await database.call("GET", `${COMMENTS}?${thread(record)}`),
      await database.call("POST", COMMENTS, call),
      await database.call("PATCH", `${COMMENTS}/${id}`, { text: "Mine" }),
      await database.call("DELETE", `${COMMENTS}/${id}`),
      await database.call("POST", `${COMMENTS}/${id}/restore`),
      await database.call("GET", `${COMMENTS}/mentionable?${thread(record)}`),
      await database.call("PUT", `${COMMENTS}/read`, { table: "incidents", record, until: id }),
    ];
    for (const { status, body } of [...unknown, ...hidden]) {
      expect({ status, body }).toEqual({ status: 404, body: unknown[0]?.body });
    }
    for (const query of ["", "table=incidents", "search=secret", `by=${network.id}`]) {
      expect(textsOf(await listed(database, query))).not.toContain("secret words");
      expect(textsOf(await listed(network, query))).toContain("secret words");
    }
  });

  it("K2 hides them when the record leaves it, and shows them when it returns", async () => {
    const record = await incident("Network");
    await comment(network, record);
    const move = (from: string, to: string) =>
      owner.call("PATCH", `${INCIDENTS}/${record}`, { set: { group: to }, base: { group: from } });
    await move("Network", "Database");
    expect((await network.call("GET", `${COMMENTS}?${thread(record)}`)).status).toBe(404);
    expect(textsOf(await listed(database, thread(record)))).toEqual(["Looks bad"]);
    await move("Database", "Network");
    expect(textsOf(await listed(network, thread(record)))).toEqual(["Looks bad"]);
  });

  it("K2 keeps the comments of a deleted record in its history, and returns them with it", async () => {
    const reader = await memberOf("Network", {});
    const record = await incident();
    await comment(network, record);
    await owner.call("DELETE", `${INCIDENTS}/${record}?overwrite=true`);
    expect(textsOf(await listed(network, thread(record)))).toEqual(["Looks bad"]);
    const { body } = await reader.call("GET", `${COMMENTS}?${thread(record)}`);
    expect(body.code).toBe("record_deleted");
    expect(await listed(reader, "limit=5")).not.toContainEqual(expect.objectContaining({ record }));
    expect(await listed(network, "limit=5")).toContainEqual(expect.objectContaining({ record }));
    const late = { table: "incidents", record, text: "Too late" };
    expect((await network.call("POST", COMMENTS, late)).body.code).toBe("record_deleted");
    expect((await database.call("POST", COMMENTS, late)).body.code).toBe("not_found");
    await owner.call("POST", `${INCIDENTS}/${record}/restore`);
    await comment(network, record, "Back again");
    const texts = textsOf(await listed(network, thread(record)));
    expect(texts).toEqual(["Back again", "Looks bad"]);
  });
});

describe("a mention", () => {
  it("K3 is of a user who can read the record; others are refused like unknown ones", async () => {
    const record = await incident();
    const call = (user: string) => ({ table: "incidents", record, text: `<@${user}> look` });
    const unreadable = await network.call("POST", COMMENTS, call(database.id));
    const unknown = await network.call("POST", COMMENTS, call("nobody"));
    expect(unreadable.status).toBe(422);
    expect(unreadable.body).toEqual(unknown.body);
    const own = `${COMMENTS}/${await comment(network, record)}`;
    const { status } = await network.call("PATCH", own, { text: `<@${database.id}>` });
    expect(status).toBe(422);
    const { body } = await owner.call("POST", COMMENTS, call(network.id));
    expect(body.mentions).toMatchObject([{ id: network.id }]);
  });

  it("K3 is found by a search for users that lists nobody else", async () => {
    const record = await incident();
    const found = async (search: string) => {
      const path = `${COMMENTS}/mentionable?${thread(record)}&search=${search}`;
      return ((await network.call("GET", path)).body.items as Item[]).map(({ id }) => id);
    };
    expect(await found("user")).toContain(network.id);
    expect(await found("USER")).not.toContain(database.id);
    expect(await found("no such name")).toEqual([]);
  });

  it("K4 is unread until the comments of the record are read, and shows the current name", async () => {
    const record = await incident();
    await comment(owner, record, "First");
    const id = await comment(owner, record, `<@${network.id}> please look`);
    const mine = () => listed(network, "mentioned=true&limit=1");
    expect(await mine()).toMatchObject([{ id, unread: true }]);
    await owner.call("PATCH", `${API}/users/${network.id}`, { name: "Renamed" });
    expect(await mine()).toMatchObject([{ mentions: [{ name: "Renamed" }] }]);
    const read = { table: "incidents", record, until: id };
    expect((await network.call("PUT", `${COMMENTS}/read`, read)).status).toBe(204);
    expect(await mine()).toMatchObject([{ id, unread: false }]);
    await comment(owner, record, "Later");
    const unread = (await listed(network, thread(record))).map((one) => one.unread);
    expect(unread).toEqual([true, false, false]);
    expect((await listed(owner, thread(record))).map((one) => one.unread)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

it("lists the newest first, page by page", async () => {
  const record = await incident();
  for (const text of ["one", "two", "three"]) await comment(network, record, text);
  const first = (await network.call("GET", `${COMMENTS}?${thread(record)}&limit=2`)).body;
  expect(textsOf(first.items as Item[])).toEqual(["three", "two"]);
  const second = await listed(network, `${thread(record)}&limit=2&before=${first.next}`);
  expect(textsOf(second)).toEqual(["one"]);
  expect((await network.call("GET", `${COMMENTS}?record=${record}`)).status).toBe(400);
});

it("K2 follows a table through its renaming", async () => {
  const record = await incident();
  await comment(owner, record, "Before the renaming");
  const rename = async (from: string, to: string) => {
    const { body: model } = await owner.call("GET", `${API}/model`);
    for (const table of model.tables as { name: string }[]) {
      if (table.name === from) table.name = to;
    }
    const { status, body } = await owner.call("PUT", `${API}/model`, model);
    expect({ status, body }).toMatchObject({ status: 200 });
  };
  await rename("incidents", "tickets");
  const items = await listed(owner, `table=tickets&record=${record}`);
  expect(items).toMatchObject([{ table: "tickets", text: "Before the renaming" }]);
  await rename("tickets", "incidents");
});
