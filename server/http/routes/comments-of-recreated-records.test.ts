import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApiClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const API = "/api/v1";
const COMMENTS = `${API}/comments`;
const INCIDENTS = `${API}/tables/incidents/records`;

interface Member extends ApiClient {
  id: string;
}
interface Item {
  id: string;
  text: string;
}

const { server, owner, member } = await serveTests("service-desk");
let network: Member;
let database: Member;
let both: Member;
let made = 0;

beforeAll(async () => {
  for (const name of ["Network", "Database"]) {
    await owner.call("POST", `${API}/tables/groups/records`, { record: name, values: { name } });
  }
  network = await memberOf("Network");
  database = await memberOf("Database");
  both = await memberOf("Network", "Database");
});

/** A user who may do everything with the incidents of these groups. */
async function memberOf(...groups: string[]): Promise<Member> {
  const read = { filter: { field: "group", op: "in", value: groups } };
  const all = { create: true, update: true, delete: true, comment: true, history: true };
  const grants = { groups: { read: true }, incidents: { read, ...all } };
  const role = await owner.call("POST", `${API}/roles`, { name: `R${++made}`, rights: [], grants });
  return member(String(role.body.id));
}

/** Creates an incident, also under the id of a deleted one. */
async function create(by: ApiClient, group: string, record = `x${++made}`): Promise<string> {
  const values = { title: "Down", group };
  const { status, body } = await by.call("POST", INCIDENTS, { record, values });
  expect({ status, body }).toMatchObject({ status: 201 });
  return record;
}

async function remove(record: string): Promise<void> {
  await owner.call("DELETE", `${INCIDENTS}/${record}?overwrite=true`);
}

async function comment(by: ApiClient, record: string, text: string): Promise<string> {
  const { body, status } = await by.call("POST", COMMENTS, { table: "incidents", record, text });
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body.id);
}

async function texts(by: ApiClient, query: string): Promise<string[]> {
  const { body, status } = await by.call("GET", `${COMMENTS}?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body.items as Item[]).map(({ text }) => text);
}

const thread = (record: string) => `table=incidents&record=${record}`;

describe("K2 a record that is created again under the id of a deleted one", () => {
  it("shows the former comments only to users who could read the record as it was deleted", async () => {
    const record = await create(owner, "Network");
    const secret = `<@${network.id}> secret ${record}`;
    const id = await comment(owner, record, secret);
    await remove(record);
    await create(database, "Database", record);
    await comment(database, record, "Mine");
    expect(await texts(database, thread(record))).toEqual(["Mine"]);
    expect(await texts(both, thread(record))).toEqual(["Mine", secret]);
    expect(await texts(owner, thread(record))).toEqual(["Mine", secret]);
    for (const query of ["", "table=incidents", `search=${record}`]) {
      expect(await texts(database, query)).not.toContain(secret);
      expect(await texts(both, query)).toContain(secret);
    }
    const path = `${COMMENTS}/${id}`;
    const unknown = await database.call("GET", `${COMMENTS}/no-such-comment`);
    for (const { status, body } of [
      await database.call("GET", path),
      await database.call("PATCH", path, { resolved: true }),
      await database.call("DELETE", path),
      await database.call("PUT", `${COMMENTS}/read`, { table: "incidents", record, until: id }),
    ]) {
      expect({ status, body }).toEqual({ status: 404, body: unknown.body });
    }
    expect((await both.call("PATCH", path, { resolved: true })).status).toBe(200);
  });

  it("shows no former mention to a user who could not read the record as it was deleted", async () => {
    const record = await create(owner, "Database");
    const mention = `<@${database.id}> secret ${record}`;
    await comment(owner, record, mention);
    expect(await texts(database, "mentioned=true")).toContain(mention);
    const move = { set: { group: "Network" }, base: { group: "Database" } };
    expect((await owner.call("PATCH", `${INCIDENTS}/${record}`, move)).status).toBe(200);
    await remove(record);
    await create(database, "Database", record);
    expect(await texts(database, "mentioned=true")).not.toContain(mention);
  });

  it("hides them also once it is deleted and created again by somebody who can read that deletion", async () => {
    const record = await create(owner, "Network");
    await comment(owner, record, "Secret");
    await remove(record);
    await create(database, "Database", record);
    await comment(database, record, "Mine");
    await remove(record);
    expect(await texts(database, thread(record))).toEqual(["Mine"]);
    expect(await texts(database, "")).not.toContain("Secret");
    await create(database, "Database", record);
    expect(await texts(database, thread(record))).toEqual(["Mine"]);
    expect(await texts(both, thread(record))).toEqual(["Mine", "Secret"]);
  });

  it("hides them from users of some records if the log does not hold the deletion any more", async () => {
    const record = await create(owner, "Network");
    await comment(owner, record, "Secret");
    await remove(record);
    await create(database, "Database", record);
    const program = new pg.Client({ connectionString: server.databaseUrl });
    await program.connect();
    const swept = "delete from watchfloor.change where record = $1 and kind = 'delete'";
    await program.query(swept, [record]);
    await program.end();
    expect(await texts(database, thread(record))).toEqual([]);
    expect(await texts(owner, thread(record))).toEqual(["Secret"]);
  });

  it("has them again after it was restored, for users who could read it as it was deleted", async () => {
    const record = await create(owner, "Network");
    await comment(network, record, "Before");
    await remove(record);
    await owner.call("POST", `${INCIDENTS}/${record}/restore`);
    await comment(network, record, "After");
    expect(await texts(network, thread(record))).toEqual(["After", "Before"]);
    const move = { set: { group: "Database" }, base: { group: "Network" } };
    expect((await owner.call("PATCH", `${INCIDENTS}/${record}`, move)).status).toBe(200);
    expect(await texts(database, thread(record))).toEqual(["After"]);
  });
});
