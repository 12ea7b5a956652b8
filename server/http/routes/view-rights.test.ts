import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";
import { byCaller, listed, open, storeView, VIEWS } from "../testing/view-calls.ts";

const password = "a long password";
const { server, owner, member } = await serveTests("service-desk");
let editor: ApiClient;
let viewer: ApiClient;
let made = 0;

beforeAll(async () => {
  editor = await member("editor");
  viewer = await member("viewer");
});

/** A user with given grants and rights. */
async function memberWith(grants: object, rights: string[] = []): Promise<ApiClient> {
  const { body } = await owner.call("POST", "/api/v1/roles", {
    name: `Role ${++made}`,
    rights,
    grants,
  });
  return member(String(body.id));
}

describe("V1 users", () => {
  it("who write in the table have personal views, and nobody else sees them", async () => {
    const path = await storeView(editor);
    expect(await listed(editor)).toContain(path);
    for (const other of [owner, viewer]) {
      expect(await listed(other)).not.toContain(path);
      for (const [method, body] of [["GET"], ["PATCH", { name: "Mine" }], ["DELETE"]] as const) {
        expect((await other.call(method, path, body)).status).toBe(404);
      }
    }
    const call = { table: "incidents", name: "x" };
    const refused = await viewer.call("POST", VIEWS, call);
    expect(refused.body).toMatchObject({ code: "forbidden", right: "update" });
    const transitionUser = await memberWith({
      incidents: { read: true, transitions: ["resolve"] },
    });
    await storeView(transitionUser);
    expect((await transitionUser.call("POST", VIEWS, { ...call, table: "groups" })).status).toBe(
      404,
    );
  });

  it("with the right share them, and change what is shared", async () => {
    const call = { table: "incidents", name: "x", shared: true };
    const own = await storeView(editor);
    for (const refused of [
      await editor.call("POST", VIEWS, call),
      await editor.call("PATCH", own, { shared: true }),
    ]) {
      expect(refused.body).toMatchObject({ code: "forbidden", right: "sharedViews" });
    }
    const curator = await memberWith({ "*": { read: true } }, ["sharedViews"]);
    const path = await storeView(curator);
    expect((await curator.call("PATCH", path, { shared: true })).body.shared).toBe(true);
    expect(await listed(viewer)).toContain(path);
    for (const [method, body] of [["PATCH", { name: "y" }], ["DELETE"]] as const) {
      expect((await editor.call(method, path, body)).body.code).toBe("forbidden");
    }
    const { body: taken } = await owner.call("PATCH", path, { shared: false });
    const { body: me } = await owner.call("GET", "/api/v1/session");
    expect(taken.owner).toMatchObject({ id: (me.user as { id: string }).id });
    expect(await listed(curator)).not.toContain(path);
  });

  it("leave shared views behind when they are removed, and no personal ones", async () => {
    const email = `gone${++made}@example.com`;
    const call = { email, name: "Gone", role: "admin", password };
    const { body: user } = await owner.call("POST", "/api/v1/users", call);
    const removedOwner = await signedInClient(server.origin, { email, password });
    const [shared, own] = [
      await storeView(removedOwner, { shared: true }),
      await storeView(removedOwner),
    ];
    expect((await owner.call("DELETE", `/api/v1/users/${user.id}`)).status).toBe(204);
    expect((await owner.call("GET", shared)).body).toMatchObject({ shared: true, owner: null });
    expect((await owner.call("GET", own)).status).toBe(404);
  });
});

describe("V2 a hidden field", () => {
  const hiddenCaller = {
    "*": { read: true, update: true },
    incidents: { read: { hide: ["caller"] } },
  };

  it("hides the views that depend on it", async () => {
    const reader = await memberWith(hiddenCaller);
    const hidden = await Promise.all(
      [
        { filter: byCaller },
        { sort: ["caller"] },
        { filter: { not: byCaller } },
        { grouping: { field: "caller" } },
      ].map((settings) => storeView(owner, { shared: true, ...settings })),
    );
    const plain = await storeView(owner, {
      shared: true,
      columns: [{ field: "caller" }, { field: "title" }],
    });
    const shown = await listed(reader);
    for (const path of hidden) {
      expect(shown).not.toContain(path);
      expect((await reader.call("GET", path)).status).toBe(404);
    }
    expect((await reader.call("GET", plain)).body.columns).toEqual([{ field: "title" }]);
    const noIncidents = await memberWith({ groups: { read: true } });
    expect(await listed(noIncidents)).toEqual([]);
    expect((await noIncidents.call("GET", plain)).status).toBe(404);
  });

  it("can't be used in a view, and stays in place when the rest is changed", async () => {
    const worker = { read: { hide: ["caller"] }, update: true };
    const curator = await memberWith({ incidents: worker }, ["sharedViews"]);
    for (const settings of [
      { filter: byCaller },
      { sort: ["-caller"] },
      { columns: [{ field: "caller" }] },
    ]) {
      const call = { table: "incidents", name: `Other ${++made}`, ...settings };
      expect((await curator.call("POST", VIEWS, call)).body).toMatchObject({
        code: "invalid_request",
        message: expect.not.stringContaining("right"),
      });
    }
    const columns = [{ field: "caller", width: 90 }, { field: "title" }];
    const path = await storeView(owner, { shared: true, columns });
    const document = {
      columns: [{ field: "number" }, { field: "title" }],
      base: { columns: [{ field: "title" }] },
    };
    expect((await curator.call("PATCH", path, document)).body.columns).toEqual(document.columns);
    expect((await owner.call("GET", path)).body.columns).toEqual([...document.columns, columns[0]]);
  });

  it("takes part in no colour rule that its reader is sent or may write, and stays in the view", async () => {
    const worker = { read: { hide: ["caller"] }, update: true };
    const curator = await memberWith({ incidents: worker }, ["sharedViews"]);
    const byState = { filter: open, colour: "red", field: null };
    const secret = [
      { filter: { and: [open, byCaller] }, colour: "blue", field: null },
      { filter: open, colour: "green", field: "caller" },
    ];
    const appearance = { height: "tall", rules: [secret[0], byState, secret[1]] };
    const path = await storeView(owner, { shared: true, appearance });
    const shown = { height: "tall", rules: [byState] };
    expect((await curator.call("GET", path)).body.appearance).toEqual(shown);
    for (const rule of secret) {
      const refused = await curator.call("PATCH", path, { appearance: { rules: [rule] } });
      expect(refused.body.code).toBe("invalid_request");
    }
    const changed = { appearance: { height: "short", rules: [] }, base: { appearance: shown } };
    const answer = await curator.call("PATCH", path, changed);
    expect(answer.body.appearance).toEqual(changed.appearance);
    const stored = { height: "short", rules: secret };
    expect((await owner.call("GET", path)).body.appearance).toEqual(stored);
    await curator.call("PATCH", path, { name: `Other ${++made}` });
    expect((await owner.call("GET", path)).body.appearance).toEqual(stored);
  });
});
