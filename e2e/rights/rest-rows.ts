import type { RouteName } from "../../shared/protocol/contract.ts";
import {
  deletedRecord,
  invitedUser,
  newRecord,
  newRole,
  newToken,
  newUser,
  nextSerial,
  TABLE,
} from "./call-fixtures.ts";
import { changeSetRows } from "./change-set-rows.ts";
import { commentRows } from "./comment-rows.ts";
import { inboxRows } from "./inbox-rows.ts";
import { providerRows } from "./provider-rows.ts";
import { everybodySignedIn, nobodyElse, type Row } from "./row.ts";
import { sessionRows } from "./session-rows.ts";
import { viewRows } from "./view-rows.ts";
import { wallRows } from "./wall-rows.ts";
import { webhookRows } from "./webhook-rows.ts";

const writers = "200 200 200 403 404 401 401";
const readers = "200 200 200 200 404 401 401";
interface MutationBody {
  results: { ok: boolean; error?: { code: string } }[];
}
/** Those of others are as if they did not exist. */
const othersToken = "404 404 404 401 401";

/** Who may call what: a row for every path and method of the API. A route without a row does not compile. */
export const restRows: Record<RouteName, Row> = {
  ...sessionRows,
  ...inboxRows,
  ...providerRows,
  "POST /users/{id}/invitation": {
    expected: `201 201 ${nobodyElse}`,
    call: async (installation) => ({
      path: `/users/${await invitedUser(installation)}/invitation`,
    }),
  },
  "POST /users/{id}/password-reset": {
    expected: `201 201 ${nobodyElse}`,
    call: async (installation) => ({
      path: `/users/${await newUser(installation)}/password-reset`,
    }),
  },
  "GET /users": { expected: everybodySignedIn },
  "POST /users": {
    expected: `201 201 ${nobodyElse}`,
    call: async () => ({
      body: { email: `by${nextSerial()}@example.com`, name: "By", role: "viewer" },
    }),
  },
  "GET /users/{id}": {
    expected: everybodySignedIn,
    call: async ({ ownerUser }) => ({ path: `/users/${ownerUser.info.id}` }),
  },
  "PATCH /users/{id}": {
    expected: `200 200 ${nobodyElse}`,
    call: async (installation) => ({
      path: `/users/${await newUser(installation)}`,
      body: { role: "editor" },
    }),
  },
  "DELETE /users/{id}": {
    expected: `204 204 ${nobodyElse}`,
    call: async (installation) => ({ path: `/users/${await newUser(installation)}` }),
  },
  "GET /roles": { expected: everybodySignedIn },
  "POST /roles": {
    expected: `201 201 ${nobodyElse}`,
    call: async () => ({ body: { name: `By ${nextSerial()}`, rights: [], grants: {} } }),
  },
  "POST /roles/preview": {
    expected: `200 200 ${nobodyElse}`,
    call: async () => ({ body: { table: "incidents", grants: { incidents: { read: true } } } }),
  },
  "GET /roles/{id}": {
    expected: everybodySignedIn,
    call: async (installation) => ({ path: `/roles/${await newRole(installation)}` }),
  },
  "PATCH /roles/{id}": {
    expected: `200 200 ${nobodyElse}`,
    call: async (installation) => ({
      path: `/roles/${await newRole(installation)}`,
      body: { rights: ["users"] },
    }),
  },
  "DELETE /roles/{id}": {
    expected: `204 204 ${nobodyElse}`,
    call: async (installation) => ({ path: `/roles/${await newRole(installation)}` }),
  },
  "GET /tokens": { expected: everybodySignedIn },
  "POST /tokens": {
    expected: "201 201 201 201 201 401 401",
    call: async () => ({ body: { name: "Mine", role: "viewer" } }),
  },
  "GET /tokens/{id}": {
    expected: `200 200 ${othersToken}`,
    call: async (installation) => ({ path: `/tokens/${await newToken(installation)}` }),
  },
  "PATCH /tokens/{id}": {
    expected: `200 200 ${othersToken}`,
    call: async (installation) => ({
      path: `/tokens/${await newToken(installation)}`,
      body: { name: "Renamed" },
    }),
  },
  "DELETE /tokens/{id}": {
    expected: `204 204 ${othersToken}`,
    call: async (installation) => ({ path: `/tokens/${await newToken(installation)}` }),
  },
  "GET /security-events": { expected: `200 200 ${nobodyElse}` },
  "GET /system": { expected: `200 200 ${nobodyElse}` },
  "GET /openapi.json": { expected: "200 200 200 200 200 200 200" },
  "GET /model": { expected: everybodySignedIn },
  "PUT /model": {
    expected: `200 200 ${nobodyElse}`,
    call: async ({ ownerUser }) => ({
      path: "/model?dryRun=1",
      body: await ownerUser.call("GET", "/model"),
    }),
  },
  "POST /model/example": {
    // There are tables already.
    expected: `409 409 ${nobodyElse}`,
    call: async () => ({ path: "/model/example", body: { example: "service-desk" } }),
  },
  "GET /model/uses": {
    expected: `200 200 ${nobodyElse}`,
    call: async () => ({ path: "/model/uses?table=incidents" }),
  },
  "GET /model/uses/counts": {
    expected: `200 200 ${nobodyElse}`,
    call: async () => ({ path: "/model/uses/counts?table=incidents" }),
  },
  "GET /model/versions": { expected: `200 200 ${nobodyElse}` },
  "GET /model/versions/{version}": {
    expected: `200 200 ${nobodyElse}`,
    call: async () => ({ path: "/model/versions/current" }),
  },
  "GET /tables/{table}/records": {
    expected: readers,
    call: async () => ({ path: `${TABLE}/records` }),
  },
  "POST /tables/{table}/records": {
    expected: "201 201 201 403 404 401 401",
    call: async () => ({ path: `${TABLE}/records`, body: { values: { title: "new" } } }),
  },
  "GET /tables/{table}/export.csv": {
    expected: writers,
    call: async () => ({ path: `${TABLE}/export.csv` }),
  },
  "GET /tables/{table}/export.jsonl": {
    expected: writers,
    call: async () => ({ path: `${TABLE}/export.jsonl` }),
  },
  "GET /tables/{table}/records/{id}": {
    expected: readers,
    call: async (installation) => ({ path: `${TABLE}/records/${await newRecord(installation)}` }),
  },
  "GET /tables/{table}/records/{id}/history": {
    expected: readers,
    call: async (installation) => ({
      path: `${TABLE}/records/${await newRecord(installation)}/history`,
    }),
  },
  "PUT /tables/{table}/records": {
    expected: "201 201 201 403 404 401 401",
    call: async () => ({
      path: `${TABLE}/records?key=title`,
      body: { values: { title: `by key ${crypto.randomUUID()}` } },
    }),
  },
  "PATCH /tables/{table}/records/{id}": {
    expected: writers,
    call: async (installation) => ({
      path: `${TABLE}/records/${await newRecord(installation)}?overwrite=true`,
      body: { set: { title: "other" } },
    }),
  },
  "DELETE /tables/{table}/records/{id}": {
    expected: "204 204 204 403 404 401 401",
    call: async (installation) => ({
      path: `${TABLE}/records/${await newRecord(installation)}?overwrite=true`,
    }),
  },
  "POST /tables/{table}/records/{id}/restore": {
    expected: writers,
    call: async (installation) => ({
      path: `${TABLE}/records/${await deletedRecord(installation)}/restore`,
    }),
  },
  "POST /tables/{table}/records/{id}/transitions/{name}": {
    expected: writers,
    call: async (installation) => ({
      path: `${TABLE}/records/${await newRecord(installation)}/transitions/activate`,
      body: { from: "New" },
    }),
  },
  "POST /mutations": {
    expected: everybodySignedIn,
    results: {
      of: ({ results: [first] }: MutationBody) => (first?.ok ? "ok" : String(first?.error?.code)),
      expected: "ok ok ok forbidden not_found",
    },
    call: async () => ({
      body: {
        id: crypto.randomUUID(),
        ops: [{ op: "create", table: "incidents", values: { title: "x" } }],
      },
    }),
  },
  "POST /tables/{table}/imports": {
    expected: writers,
    call: async () => ({ path: `${TABLE}/imports?dryRun=true`, body: "title\nfrom a file\n" }),
  },
  "GET /tables/{table}/summary": {
    expected: readers,
    call: async () => ({ path: `${TABLE}/summary` }),
  },
  "GET /changes": {
    expected: readers,
    call: async () => ({ path: "/changes?table=incidents&limit=1" }),
  },
  "GET /changes/export.csv": {
    expected: `200 200 ${nobodyElse}`,
    call: async () => ({ path: "/changes/export.csv?search=no%20such%20text" }),
  },
  "GET /changes/export.jsonl": {
    expected: `200 200 ${nobodyElse}`,
    call: async () => ({ path: "/changes/export.jsonl?search=no%20such%20text" }),
  },
  ...changeSetRows,
  ...commentRows,
  ...viewRows,
  ...wallRows,
  ...webhookRows,
  // Last: it ends its caller's session.
  "DELETE /session": { expected: "204 204 204 204 204 204 204" },
  "POST /session/end": { expected: "200 200 200 200 200 200 200" },
};
