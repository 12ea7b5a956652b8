import { describe, expect, it } from "vitest";
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
const { memberOf, network, database } = await commentingUsers(server.origin, owner);
const incident = (group?: string, values?: object) => incidentBy(owner, group, values);

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
