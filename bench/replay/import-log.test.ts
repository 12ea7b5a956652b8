import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { type ApiClient, signedInClient } from "../../server/http/testing/api-client.ts";
import {
  ownerCredentials,
  startTestServer,
  type TestServer,
} from "../../server/http/testing/test-server.ts";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import type { DraftImport } from "../../shared/protocol/imports.ts";
import { logFile, logName } from "./incident-log.ts";

let server: TestServer;
let owner: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  await server.owner("service-desk");
  owner = await signedInClient(server.origin, ownerCredentials);
});
afterAll(() => server.close());

const api = "/api/v1/change-sets";
const options = new URLSearchParams({
  table: "incidents",
  key: "number",
  null: "?",
  map: JSON.stringify({
    incident_state: "state",
    made_sla: "sla_met",
    closed_code: "resolution_code",
    reassignment_count: "reassignments",
    reopen_count: "reopenings",
  }),
});

async function importLog(csv: string) {
  const { id } = (await owner.call("POST", api, {})).body as { id: string };
  const headers = { "content-type": "text/csv" };
  const { body } = await owner.call("POST", `${api}/${id}/import?${options}`, csv, headers);
  const setOf = async () =>
    (await owner.call("GET", `${api}/${id}`)).body as never as ChangeSetInfo;
  return { id, report: body as unknown as DraftImport, setOf };
}

describe(`importing ${logName}`, () => {
  it("by key leaves the last row of each incident, and changes nothing a second time", async () => {
    const csv = await readFile(logFile, "utf8");
    const lines = csv.split("\n").slice(1).filter(Boolean);
    const size = new Set(lines.map((line) => line.split(",")[0])).size;
    const superseded = lines.length - size;
    const first = await importLog(csv);
    expect(first.report).toMatchObject({ created: size, updated: 0, superseded, failed: 0 });
    await owner.call("POST", `${api}/${first.id}/apply`, {});
    await until("it is applied", 60_000, async () => (await first.setOf()).state === "applied");
    expect((await first.setOf()).progress).toMatchObject({ applied: size, total: size });
    const summary = await owner.call("GET", "/api/v1/tables/incidents/summary?group=state");
    const states = summary.body.rows as { key: string; value: number }[];
    expect(states.find(({ key }) => key === "Closed")?.value).toBe(size);
    const second = await importLog(csv);
    const nothing = { created: 0, updated: 0, unchanged: size, superseded, failed: 0 };
    expect(second.report).toMatchObject(nothing);
    expect(await second.setOf()).toMatchObject({ counts: { create: 0, update: 0, delete: 0 } });
  });
});
