import { describe, expect, it } from "vitest";
import { type ApiClient, apiClient, signedInClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const api = "/api/v1";
const password = "a long password";
const ofMyGroup = { field: "group", op: "eq", value: "$me.group" };

const { server, owner } = await serveTests("service-desk", {
  PAIRING_CODES_PER_ADDRESS: "1000",
});
let made = 0;

async function manager(grants: object, rights: string[] = [], attributes: object = {}) {
  const call = { name: `Role ${++made}`, grants, rights: ["displays", ...rights] };
  const { body: role } = await owner.call("POST", `${api}/roles`, call);
  const email = `d${made}@example.com`;
  const user = { email, name: "D", role: role.id, attributes, password };
  expect((await owner.call("POST", `${api}/users`, user)).status).toBe(201);
  return signedInClient(server.origin, { email, password });
}

/** A wallboard that counts incidents, and lists those of a group or of all. */
async function wallboard(
  by: ApiClient,
  draft = false,
  fields = ["title", "service"],
): Promise<string> {
  const layout = { x: 0, y: 0, w: 4, h: 4 };
  const measure = { op: "count" };
  const tiles = [
    { id: "n", kind: "number", table: "incidents", measure, layout },
    {
      id: "q",
      kind: "queue",
      table: "incidents",
      measure,
      fields,
      limit: 5,
      layout: { ...layout, x: 4 },
    },
  ];
  const call = { name: `Wallboard ${++made}`, tiles, ...(draft && { draft }) };
  const { status, body } = await by.call("POST", `${api}/wallboards`, call);
  expect([status, body]).toMatchObject([201, {}]);
  return String(body.id);
}

async function code(): Promise<string> {
  const { body } = await apiClient(server.origin).call("POST", `${api}/display/pairing`);
  return String(body.code);
}

const claim = async (by: ApiClient, ...boards: string[]) =>
  by.call("POST", `${api}/displays`, { code: await code(), name: `D ${++made}`, boards });

describe("a user who manages displays", () => {
  it("pairs a display with wallboards whose every record and field they may read, and no others", async () => {
    const all = await wallboard(owner);
    for (const grants of [
      {},
      { incidents: { read: { filter: ofMyGroup } }, services: { read: true } },
      { incidents: { read: { hide: ["title"] } }, services: { read: true } },
      { incidents: { read: true } },
      { incidents: { read: true }, services: { read: { hide: ["name"] } } },
    ]) {
      const { status, body } = await claim(await manager(grants), all);
      expect([grants, status, body.code]).toEqual([grants, 403, "forbidden"]);
    }
    const reader = await manager({ incidents: { read: true }, services: { read: true } });
    expect((await claim(reader, all)).status).toBe(201);
    const counts = await wallboard(owner, false, ["title"]);
    expect((await claim(await manager({ incidents: { read: true } }), counts)).status).toBe(201);
  });

  it("pairs a wallboard whose publisher reads no other records than they do", async () => {
    const grants = { "*": { read: true }, incidents: { read: { filter: ofMyGroup } } };
    const red = await manager(grants, ["wallboards"], { group: "Red" });
    const own = await wallboard(red);
    const { status, body: display } = await claim(red, own);
    expect(status).toBe(201);
    const colleague = await manager(grants, [], { group: "Red" });
    expect((await claim(colleague, own)).status).toBe(201);
    const call = { code: await code() };
    const again = await colleague.call("POST", `${api}/displays/${display.id}/pair`, call);
    expect(again.status).toBe(200);
    expect(again.body.owner).not.toEqual(display.owner);
    const blue = await manager(grants, [], { group: "Blue" });
    expect((await claim(blue, own)).status).toBe(403);
  });

  it("neither adds nor shows nor takes over such a wallboard, and leaves existing ones unchanged", async () => {
    const [all, other] = [await wallboard(owner), await wallboard(owner)];
    const { body: display } = await claim(owner, all);
    const path = `${api}/displays/${display.id}`;
    const nobody = await manager({});
    for (const change of [{ boards: [all, other] }, { boards: [other] }, { showing: other }]) {
      expect((await nobody.call("PATCH", path, change)).status).toBe(403);
    }
    expect((await nobody.call("POST", `${path}/pair`, { code: await code() })).status).toBe(403);
    expect((await nobody.call("POST", `${path}/take-over`)).status).toBe(403);
    for (const change of [{ name: "Hall" }, { boards: [all] }, { showing: all }, { muted: true }]) {
      expect((await nobody.call("PATCH", path, change)).status).toBe(200);
    }
    expect((await owner.call("PATCH", path, { boards: [other] })).status).toBe(200);
  });

  it("pairs no unpublished wallboard, unless they may design wallboards", async () => {
    const draft = await wallboard(owner, true);
    const grants = { "*": { read: true } };
    expect((await claim(await manager(grants), draft)).status).toBe(404);
    expect((await claim(await manager(grants, ["wallboards"]), draft)).status).toBe(201);
  });

  it("receives only the published name of a wallboard that is refused", async () => {
    const all = await wallboard(owner);
    const { body: known } = await owner.call("GET", `${api}/wallboards/${all}`);
    await owner.call("PATCH", `${api}/wallboards/${all}`, { name: "The merger" });
    const { status, body } = await claim(await manager({}), all);
    expect(status).toBe(403);
    expect(JSON.stringify(body)).toContain(String(known.name));
    expect(JSON.stringify(body)).not.toContain("The merger");
  });

  it("pairs no removed wallboard that could be restored", async () => {
    const removed = await wallboard(owner);
    await owner.call("DELETE", `${api}/wallboards/${removed}`);
    expect((await claim(await manager({}), removed)).status).toBe(403);
  });
});
