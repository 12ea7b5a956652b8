import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import { identify } from "../auth/authenticate.ts";
import type { Identity } from "../auth/identity.ts";
import { addUser } from "../auth/users.ts";
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

/** A call whose last byte is sent only after something else has happened. */
async function whileSending(method: string, path: string, body: object, change: () => unknown) {
  const text = JSON.stringify(body);
  const sending = request(`${server.origin}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ann.token()}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      expect: "100-continue",
    },
  });
  sending.flushHeaders();
  await once(sending, "continue");
  sending.write(text.slice(0, -1));
  // The first half was admitted before this later call is answered.
  expect((await ann.call("GET", "/api/v1/session")).status).toBe(200);
  await change();
  sending.end(text.slice(-1));
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  return { status: answer.statusCode, body: await json(answer) };
}

const setRole = (role: string) => owner.call("PATCH", `/api/v1/users/${annId}`, { role });

async function annSignsInAs(role: string): Promise<void> {
  await setRole(role);
  ann = await signedInClient(server.origin, user);
}

it("refuses a call whose right ended while its body was being sent", async () => {
  await annSignsInAs("admin");
  const eve = { email: "eve@example.com", name: "Eve", role: "admin", password: user.password };
  const refused = await whileSending("POST", "/users", eve, () => setRole("viewer"));
  expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
  const { body } = await owner.call("GET", "/api/v1/users");
  expect(JSON.stringify(body)).not.toContain(eve.email);
});

it("adds no user for somebody who was disabled while the password was hashed", async () => {
  await annSignsInAs("admin");
  // As the call was admitted: making the hash takes long, and everything after it is later.
  const admitted = (await identify(server.auth.db, { kind: "user", id: annId })) as Identity;
  await owner.call("PATCH", `/api/v1/users/${annId}`, { status: "disabled" });
  const eve = { email: "late@example.com", name: "Eve", role: "editor", password: user.password };
  await expect(addUser(server.auth, admitted, eve)).rejects.toMatchObject({
    code: "session_ended",
  });
  const { body } = await owner.call("GET", "/api/v1/users");
  expect(JSON.stringify(body)).not.toContain(eve.email);
  await owner.call("PATCH", `/api/v1/users/${annId}`, { status: "active" });
});

it.each([
  ["is signed out", () => ann.call("DELETE", "/api/v1/session")],
  ["is disabled", () => owner.call("PATCH", `/api/v1/users/${annId}`, { status: "disabled" })],
])("stores no edit of a user who %s while it is being sent", async (_what, change) => {
  await annSignsInAs("editor");
  const made = await owner.call("POST", records, { values: { title: "As it was" } });
  const path = `/tables/incidents/records/${made.body.id}?overwrite=true`;
  const refused = await whileSending("PATCH", path, { set: { title: "Late" } }, change);
  expect(refused).toMatchObject({ status: 401, body: { code: "session_ended" } });
  const { body } = await owner.call("GET", `${records}/${made.body.id}`);
  expect(body.values).toMatchObject({ title: "As it was" });
});

it("publishes no model of a user who was disabled while it was prepared", async () => {
  await owner.call("PATCH", `/api/v1/users/${annId}`, { status: "active" });
  await annSignsInAs("admin");
  const { body: model } = await owner.call("GET", "/api/v1/model");
  const [first, ...more] = (model as unknown as Model).tables;
  const fields = [...(first?.fields ?? []), { name: "late", label: "Late", type: "text" }];
  const changed = { ...model, tables: [{ ...first, fields }, ...more] };
  await program.query("begin");
  await program.query("lock table incidents in access share mode");
  const publishing = ann.call("PUT", "/api/v1/model", changed);
  const waits = "select 1 from pg_locks where not granted and relation = 'incidents'::regclass";
  while ((await program.query(waits)).rowCount === 0);
  await owner.call("PATCH", `/api/v1/users/${annId}`, { status: "disabled" });
  await program.query("commit");
  expect(await publishing).toMatchObject({ status: 401, body: { code: "session_ended" } });
  expect((await owner.call("GET", "/api/v1/model")).body).toEqual(model);
});

it("lets the roles follow the names of tables as soon as these are published, though nobody announces that they do", async () => {
  await owner.call("PATCH", `/api/v1/users/${annId}`, { status: "active" });
  const readers = { name: "Readers", grants: { groups: { read: true } } };
  const { body: role } = await owner.call("POST", "/api/v1/roles", readers);
  await annSignsInAs(String(role.id));
  const { body: model } = await owner.call("GET", "/api/v1/model");
  const swapped: Record<string, string> = { groups: "services", services: "groups" };
  const exchanged = JSON.stringify(model).replaceAll(
    /"(name|target)":"(groups|services)"/g,
    (_, key: string, name: string) => `"${key}":"${swapped[name]}"`,
  );
  await program.query("alter table watchfloor.role disable trigger user");
  const status = async (table: string) =>
    (await ann.call("GET", `/api/v1/tables/${table}/records`)).status;
  expect([await status("groups"), await status("services")]).toEqual([200, 404]);
  const published = await owner.call("PUT", "/api/v1/model", JSON.parse(exchanged));
  expect(published.status).toBe(200);
  expect([await status("groups"), await status("services")]).toEqual([404, 200]);
  await program.query("alter table watchfloor.role enable trigger user");
});
