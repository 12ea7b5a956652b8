import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "../../server/http/testing/api-client.ts";
import {
  ownerCredentials,
  startTestServer,
  type TestServer,
} from "../../server/http/testing/test-server.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { until } from "../harness/until.ts";

const API = "/api/v1";
const WITHIN_MS = 60_000;
const credentials = { email: "editor@example.com", password: "a long password" };

let server: TestServer;
let owner: ApiClient;
let editor: ApiClient;

beforeAll(async () => {
  // A wait that no slow machine outlasts.
  server = await startTestServer({ WATCHFLOOR_READ_TIMEOUT_MS: `${WITHIN_MS}` });
  await server.owner("service-desk");
  owner = await signedInClient(server.origin, ownerCredentials);
  await owner.call("POST", `${API}/users`, { ...credentials, name: "Editor", role: "editor" });
  editor = await signedInClient(server.origin, credentials);
});
afterAll(() => server.close());

interface Target {
  record: string;
  wallboard: string;
  seq: number;
}
type Flood = (target: Target) => { method: string; path: string; body?: object };

/** What a user can call that reads records. */
const floods: [string, Flood][] = [
  ["records", () => ({ method: "GET", path: "/tables/incidents/records" })],
  [
    "comments",
    ({ record }) => ({ method: "GET", path: `/comments?table=incidents&record=${record}` }),
  ],
  [
    "mentions",
    ({ record }) => ({
      method: "GET",
      path: `/comments/mentionable?table=incidents&record=${record}`,
    }),
  ],
  [
    "alerts",
    ({ wallboard }) => ({
      method: "POST",
      path: `/wallboards/${wallboard}/acknowledgements`,
      body: { tile: "alert", word: "many", row: "Down" },
    }),
  ],
  [
    "reverts",
    ({ seq }) => ({
      method: "POST",
      path: "/change-sets",
      body: { revert: { changes: [{ table: "incidents", seq }] } },
    }),
  ],
];

const tile = {
  id: "alert",
  kind: "breakdown",
  table: "incidents",
  group: "title",
  measure: { op: "count" },
  thresholds: [{ at: 1, word: "many", colour: "red" }],
  layout: { x: 0, y: 0, w: 4, h: 4 },
};

/** A record with its change in the log, and a wallboard with an alert. */
async function setUp(): Promise<Target> {
  const incidents = `${API}/tables/incidents/records`;
  const made = await owner.call("POST", incidents, { values: { title: "Down" } });
  const wallboard = await owner.call("POST", `${API}/wallboards`, {
    name: "Alerts",
    tiles: [tile],
  });
  expect([made.status, wallboard.status], JSON.stringify(wallboard.body)).toEqual([201, 201]);
  const record = String(made.body.id);
  const { body } = await owner.call("GET", `${API}/changes?table=incidents&record=${record}`);
  const [change] = body.items as { seq: number }[];
  return { record, wallboard: String(wallboard.body.id), seq: change?.seq ?? 0 };
}

/** Blocks all reads of the incidents until they are released. */
async function lockIncidents({
  databaseUrl,
}: {
  databaseUrl: string;
}): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("begin; lock table incidents in access exclusive mode");
  return () => client.end();
}

describe("reads that take long", () => {
  const FLOOD = 60;

  it.each(floods)(
    "block nobody else from signing in, reading and editing: %s",
    async (what, of) => {
      const { method, path, body } = of(await setUp());
      const release = await lockIncidents(server);
      let answered = 0;
      const flood = Array.from({ length: FLOOD }, async () => {
        const { status } = await editor.call(method, API + path, body);
        answered += 1;
        return status;
      });
      try {
        const other = await signedInClient(server.origin, ownerCredentials);
        const services = `${API}/tables/services/records`;
        const read = await other.call("GET", services);
        const created = await other.call("POST", services, { values: { name: `Beside ${what}` } });
        expect([read.status, created.status]).toEqual([200, 201]);
        expect(answered).toBeLessThanOrEqual(2 * defaultLimits.READS_PER_USER);
      } finally {
        await release();
      }
      for (const status of await Promise.all(flood)) expect(status).toBeLessThan(300);
    },
  );

  it("are ended and answered by an error that explains it", async () => {
    const shortTimeouts = await startTestServer({ WATCHFLOOR_READ_TIMEOUT_MS: "200" });
    await shortTimeouts.owner("service-desk");
    const client = await signedInClient(shortTimeouts.origin, ownerCredentials);
    const release = await lockIncidents(shortTimeouts);
    const comments = "comments?table=incidents&record=x";
    const paths = ["records", "records/x", "summary"].map((path) => `tables/incidents/${path}`);
    for (const path of [...paths, comments]) {
      const { body } = await client.call("GET", `${API}/${path}`);
      const refused = { status: 422, code: "query_timeout", limit: 200, unit: "milliseconds" };
      expect(body, path).toMatchObject(refused);
    }
    await release();
    await shortTimeouts.close();
  });

  it("beyond those that may wait are refused", async () => {
    const small = await startTestServer({ READS_WAITING_PER_USER: "5" });
    await small.owner("service-desk");
    const client = await signedInClient(small.origin, ownerCredentials);
    const release = await lockIncidents(small);
    const statuses: number[] = [];
    const flood = Array.from({ length: 30 }, async () => {
      const { status } = await client.call("GET", "/api/v1/tables/incidents/records");
      statuses.push(status);
    });
    const refused = 30 - 5 - defaultLimits.READS_PER_USER;
    await until("the others are refused", WITHIN_MS, () => statuses.length >= refused);
    expect(statuses.slice(0, refused)).toEqual(new Array(refused).fill(429));
    await release();
    await Promise.all(flood);
    await small.close();
  });
});
