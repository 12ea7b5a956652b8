import { expect, it } from "vitest";
import { serveTests } from "../testing/test-server.ts";

const API = "/api/v1";
const DAY_MS = 86_400_000;
/** Fourteen hours ahead of UTC: its midnight is never that of UTC. */
const ZONE = "Pacific/Kiritimati";
const AHEAD_MS = 14 * 3_600_000;

const { owner } = await serveTests("empty");

const field = (name: string, type: string) => ({ name, label: name, type });
const calls = {
  ...{ name: "calls", label: "Calls", recordLabel: "call", display: "title" },
  ...{ columns: [], sort: [], fields: [field("title", "text"), field("at", "timestamp")] },
};
const put = async (model: object, query = "") => {
  const { status, body } = await owner.call("PUT", `${API}/model${query}`, model);
  expect(status).toBe(200);
  return body;
};
const filter = encodeURIComponent(JSON.stringify({ field: "at", op: "gte", value: "$today" }));
const counted = async (zone = "") => {
  const path = `${API}/tables/calls/summary?filter=${filter}${zone && `&zone=${zone}`}`;
  const { body } = await owner.call("GET", path);
  return (body.rows as { value: number }[])[0]?.value;
};
const listed = async () => {
  const { body } = await owner.call("GET", `${API}/tables/calls/records?filter=${filter}`);
  return (body.records as unknown[]).length;
};

it("the zone of the model is where days begin, also of new wallboards, until another one is published", async () => {
  await put({ version: 0, tables: [calls] });
  const now = Date.now();
  const midnights = [now - (now % DAY_MS), now - ((now + AHEAD_MS) % DAY_MS)];
  for (const at of midnights) {
    const values = { title: "A call", at: new Date(at).toISOString() };
    await owner.call("POST", `${API}/tables/calls/records`, { values });
  }
  const [here, there] = [await counted("UTC"), await counted(ZONE)];
  expect(here).not.toBe(there);
  expect([await counted(), await listed()]).toEqual([here, here]);

  const plan = await put({ version: 1, zone: ZONE, tables: [calls] }, "?dryRun=1");
  expect(plan.steps).toMatchObject([
    { kind: "changeZone", sentence: `Days begin in the time zone ${ZONE}, instead of UTC.` },
  ]);
  await put({ version: 1, zone: ZONE, tables: [calls] });
  expect([await counted(), await listed()]).toEqual([there, there]);
  const { body } = await owner.call("POST", `${API}/wallboards`, { name: "Calls", tiles: [] });
  // It follows: the frames of a wallboard say where its days begin (plan-wallboard.test.ts).
  expect(body.zone).toBeNull();
  const path = `${API}/wallboards/${body.id}`;
  const patched = await owner.call("PATCH", path, { zone: "Europe/Lisbon", base: { zone: null } });
  expect(patched.body.zone).toBe("Europe/Lisbon");
  const back = await owner.call("PATCH", path, { zone: null, base: { zone: "Europe/Lisbon" } });
  expect(back.body.zone).toBeNull();

  // A file that says nothing of the zone leaves it.
  expect((await put({ version: 2, tables: [calls] })).steps).toEqual([]);
  const { body: model } = await owner.call("GET", `${API}/model`);
  expect(model.zone).toBe(ZONE);
});

it("a rule begins its days there, too", async () => {
  const message = "A call of today";
  const rules = [{ filter: { field: "at", op: "gte", value: "$today" }, message }];
  const now = Date.now();
  const midnightOf = (aheadMs: number) => now - ((now + aheadMs) % DAY_MS);
  const [here, there] = [midnightOf(0), midnightOf(AHEAD_MS)];
  // Between both midnights: yesterday where the later one is.
  const at = new Date(Math.max(here, there) - 60_000).toISOString();
  for (const [zone, midnight] of [
    ["UTC", here],
    [ZONE, there],
  ] as const) {
    const { body: model } = await owner.call("GET", `${API}/model`);
    await put({ version: model.version, zone, tables: [{ ...calls, rules }] });
    const values = { title: `A call in ${zone}`, at };
    const { status } = await owner.call("POST", `${API}/tables/calls/records`, { values });
    expect(status).toBe(Date.parse(at) < midnight ? 422 : 201);
  }
});
