import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiClient, signedInClient } from "./testing/api-client.ts";
import { serveTests } from "./testing/test-server.ts";

const records = "/api/v1/tables/incidents/records";
const user = { email: "ann@example.com", name: "Ann", password: "correct horse battery staple" };

const { server, owner } = await serveTests("service-desk");
let ann: ApiClient;
let program: pg.Client;
let annId = "";

beforeAll(async () => {
  const made = await owner.call("POST", "/api/v1/users", { ...user, role: "editor" });
  annId = String((made.body.user as { id: string } | undefined)?.id ?? made.body.id);
  ann = await signedInClient(server.origin, user);
  program = new pg.Client({ connectionString: server.databaseUrl });
  await program.connect();
});
afterAll(async () => {
  await program.end();
});

/** A page that the store answers only after something else has happened. */
async function whileReading(change: () => Promise<unknown>) {
  await program.query("begin");
  await program.query("lock table incidents in access exclusive mode");
  const reading = ann.call("GET", records);
  const waits = "select 1 from pg_locks where not granted and relation = 'incidents'::regclass";
  while ((await program.query(waits)).rowCount === 0);
  await change();
  await program.query("commit");
  return reading;
}

it("answers a page that was being read when the reader's rights changed by the new ones", async () => {
  const page = await whileReading(() =>
    owner.call("PATCH", `/api/v1/users/${annId}`, { role: "display" }),
  );
  expect(page.body).toMatchObject({ status: 404, code: "not_found" });
});

it("answers nothing of it when the reader's session ended", async () => {
  await owner.call("PATCH", `/api/v1/users/${annId}`, { role: "viewer" });
  const page = await whileReading(() => ann.call("DELETE", "/api/v1/session"));
  expect(page.body).toMatchObject({ status: 401, code: "session_ended" });
});
