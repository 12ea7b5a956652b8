import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../../e2e/provision/databases.ts";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
let owner: ApiClient;
let ownerId: string;

const call = async (query: Record<string, string>) => {
  const path = `/api/v1/tables/incidents/summary?${new URLSearchParams(query)}`;
  return (await owner.call("GET", path)).body;
};
const rows = async (query: Record<string, string>) => (await call(query)).rows;

describe.each(databases)("a summary on $name", (kind) => {
  beforeAll(async () => {
    server = await startTestServer({}, {}, kind);
    ownerId = await server.owner("service-desk");
    owner = await signedInClient(server.origin, ownerCredentials);
    const incident = (values: object) => ({ op: "create", table: "incidents", values });
    const ops = [
      { op: "create", table: "services", record: "mail", values: { name: "Electronic mail" } },
      incident({ impact: "1 - High", reassignments: 3, sla_met: true, assignee: ownerId }),
      incident({ impact: "1 - High", reassignments: 4, service: "mail" }),
      incident({ impact: "3 - Low", due_at: "2026-01-02T03:04:05.123456Z" }),
    ];
    const { body } = await owner.call("POST", "/api/v1/mutations", { id: "seed", ops });
    expect(body.results).toMatchObject(ops.map(() => ({ ok: true })));
  });
  afterAll(() => server.close());

  it("counts, as one value and by a field", async () => {
    expect(await rows({})).toEqual([{ key: null, label: "", value: 3, values: [3] }]);
    expect(await rows({ group: "impact" })).toEqual([
      { key: "1 - High", label: "1 - High", value: 2, values: [2] },
      { key: "3 - Low", label: "3 - Low", value: 1, values: [1] },
    ]);
  });

  it("counts only what matches", async () => {
    const filter = JSON.stringify({ field: "impact", op: "eq", value: "3 - Low" });
    expect(await rows({ filter, measure: "count" })).toMatchObject([{ value: 1 }]);
  });

  it("sums, averages and finds extremes", async () => {
    const one = async (measure: string) =>
      ((await rows({ measure })) as { value: unknown }[])[0]?.value;
    expect(await one("sum:reassignments")).toBe(7);
    expect(await one("avg:reassignments")).toBe("3.5");
    expect(await one("min:reassignments")).toBe(3);
    expect(await one("max:due_at")).toMatch(/^2026-01-02T03:04:05\.123456/);
    expect(await rows({ measure: "sum:reassignments", group: "impact" })).toMatchObject([
      { value: 7 },
      { value: null },
    ]);
  });

  it("computes several measures in one call, of what a search finds", async () => {
    const several =
      "count,filled:due_at,empty:due_at,distinct:impact,checked:sla_met,median:reassignments";
    expect(await rows({ measure: several })).toMatchObject([
      { value: 3, values: [3, 1, 2, 2, 1, 3] },
    ]);
    const found = await rows({ measure: "count,sum:reassignments", search: "1 - High" });
    expect(found).toMatchObject([{ values: [2, 7] }]);
    expect(await rows({ measure: "count,max:due_at", search: "nothing" })).toMatchObject([
      { values: [0, null] },
    ]);
  });

  it("groups times by the days and months of a zone", async () => {
    const by = (unit: string, zone: string) => rows({ group: "due_at", by: unit, zone });
    const keys = async (unit: string, zone: string) =>
      ((await by(unit, zone)) as { key: unknown }[]).map(({ key }) => key);
    expect(await keys("day", "UTC")).toEqual(["2026-01-02", null]);
    expect(await keys("day", "America/Los_Angeles")).toEqual(["2026-01-01", null]);
    expect(await keys("month", "UTC")).toEqual(["2026-01-01", null]);
  });

  it("says which position of the table it shows, and whether there are more groups", async () => {
    const { body } = await owner.call("GET", "/api/v1/tables/incidents/records?limit=0");
    const { epoch, seq } = body;
    expect(await call({ group: "number" })).toMatchObject({ epoch, seq, more: false });
  });

  it("labels groups, the empty one last", async () => {
    expect(await rows({ group: "service" })).toEqual([
      { key: "mail", label: "Electronic mail", value: 1, values: [1] },
      { key: null, label: "", value: 2, values: [2] },
    ]);
    expect(await rows({ group: "assignee" })).toMatchObject([{ key: ownerId, label: "Owner" }, {}]);
    expect(await rows({ group: "sla_met" })).toMatchObject([{ key: true, label: "Yes" }, {}]);
  });

  it.each<Record<string, string>>([
    { group: "secret" },
    { group: "opened_at" },
    { measure: "sum:title" },
    { measure: "mean:reassignments" },
    { measure: "count,sum:title" },
    { measure: Array(51).fill("count").join() },
    { measure: "checked:reassignments" },
    { group: "impact", by: "day" },
    { group: "due_at", by: "week" },
    { measure: "sum" },
    { filter: "{}" },
  ])("refuses %o", async (query) => {
    expect((await call(query)).code).toBe("invalid_request");
  });
});
