import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { sweepComments } from "../../store/comments.ts";
import { openDatabase } from "../../store/database.ts";
import type { ApiClient } from "../testing/api-client.ts";
import {
  COMMENTS,
  comment,
  commentingUsers,
  INCIDENTS,
  type Item,
  incidentBy,
  listed,
  textsOf,
  thread,
} from "../testing/comment-calls.ts";
import { serveTests } from "../testing/test-server.ts";

const API = "/api/v1";

const { server, owner } = await serveTests("service-desk");
const { memberOf, network } = await commentingUsers(server.origin, owner);
const incident = (group?: string, values?: object) => incidentBy(owner, group, values);

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

  it("K6 is stored once under its id, however often it is sent", async () => {
    const record = await incident();
    const id = randomUUID();
    const call = { id, table: "incidents", record, text: "Once" };
    const answers = await Promise.all([1, 2, 3].map(() => network.call("POST", COMMENTS, call)));
    for (const { status, body } of answers) {
      expect({ status, body }).toMatchObject({ status: 201, body: { id, text: "Once" } });
    }
    await network.call("PATCH", `${COMMENTS}/${id}`, { text: "Once, corrected" });
    const late = await network.call("POST", COMMENTS, call);
    expect(late.body).toMatchObject({ id, text: "Once, corrected" });
    expect(textsOf(await listed(network, thread(record)))).toEqual(["Once, corrected"]);
  });

  it("K6 is refused under the id of another comment", async () => {
    const record = await incident();
    const id = await comment(network, record, "Mine");
    const call = { id, table: "incidents", record, text: "Mine" };
    const refused = async (by: ApiClient, other: object) => {
      const { status, body } = await by.call("POST", COMMENTS, { ...call, ...other });
      expect({ status, body }).toMatchObject({ status: 422, body: { code: "mutation_mismatch" } });
    };
    await refused(network, { text: "Other" });
    await refused(network, { record: await incident() });
    await refused(owner, {});
    expect(textsOf(await listed(network, thread(record)))).toEqual(["Mine"]);
    expect((await network.call("POST", COMMENTS, { ...call, id: "no uuid" })).status).toBe(400);
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
