import {
  deletedRecord,
  invitedUser,
  newRecord,
  newRole,
  newUser,
  nextMade,
  password,
  TABLE,
  token,
} from "./made-for-calls.ts";
import { everybodySignedIn, nobodyElse, type Row } from "./row.ts";
import { viewRows } from "./view-rows.ts";
import { wallRows } from "./wall-rows.ts";

const readers = "200 200 200 200 404 401 401";
/** Of who is signed in, but does not prove it again. */
const wrongPassword = "422 422 422 422 422 401 401";
const unproven = { password: "not my password" };
const noPasskey = {
  id: "none",
  rawId: "none",
  type: "public-key",
  response: { clientDataJSON: "e30" },
  clientExtensionResults: {},
};

/**
 * Who may call what: a row for every path and method of the API. A path without a row fails the test,
 * so whoever adds one says here who may.
 */
export const restRows: Record<string, Row> = {
  "post /session": {
    expected: "401 401 401 401 401 401 401",
    call: async () => ({ body: { email: "nobody@example.com", password } }),
  },
  "get /session": { expected: everybodySignedIn },
  "get /sign-in/{token}": {
    expected: "303 303 303 303 303 303 303",
    call: async () => ({ path: `/sign-in/${token}` }),
  },
  "get /setup": { expected: "200 200 200 200 200 200 200" },
  "post /setup": {
    expected: "403 403 403 403 403 403 403",
    call: async () => {
      const who = { email: "new@example.com", name: "New", password };
      return { body: { token, ...who, template: "empty" } };
    },
  },
  "get /invitations/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/invitations/${token}` }),
  },
  "post /invitations/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/invitations/${token}`, body: { password } }),
  },
  "get /me/sessions": { expected: everybodySignedIn },
  "delete /me/sessions": { expected: everybodySignedIn },
  "delete /me/sessions/{id}": {
    expected: "404 404 404 404 404 401 401",
    call: async () => ({ path: "/me/sessions/nobodys" }),
  },
  "post /session/passkey-challenge": { expected: "200 200 200 200 200 200 200" },
  "post /session/passkey": {
    expected: "401 401 401 401 401 401 401",
    call: async () => ({ body: { response: noPasskey } }),
  },
  "get /me/factors": { expected: everybodySignedIn },
  "post /me/totp": { expected: wrongPassword, call: async () => ({ body: unproven }) },
  "put /me/totp": { expected: wrongPassword, call: async () => ({ body: { code: "000000" } }) },
  "delete /me/totp": { expected: wrongPassword, call: async () => ({ body: unproven }) },
  "post /me/recovery-codes": { expected: wrongPassword, call: async () => ({ body: unproven }) },
  "post /me/passkeys/challenge": {
    expected: wrongPassword,
    call: async () => ({ body: unproven }),
  },
  "post /me/passkeys": {
    expected: wrongPassword,
    call: async () => ({ body: { name: "Key", response: noPasskey } }),
  },
  "delete /me/passkeys/{id}": {
    expected: wrongPassword,
    call: async () => ({ path: "/me/passkeys/none", body: unproven }),
  },
  "get /users/{id}/factors": {
    expected: `200 200 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await newUser(desk)}/factors` }),
  },
  "delete /users/{id}/factors": {
    expected: `204 204 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await newUser(desk)}/factors` }),
  },
  "put /me/password": {
    expected: wrongPassword,
    call: async () => ({ body: { current: "not my password", password } }),
  },
  "get /password-resets/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/password-resets/${token}` }),
  },
  "post /password-resets/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/password-resets/${token}`, body: { password } }),
  },
  "get /users/{id}/sessions": {
    expected: `200 200 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await newUser(desk)}/sessions` }),
  },
  "delete /users/{id}/sessions": {
    expected: `200 200 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await newUser(desk)}/sessions` }),
  },
  "delete /users/{id}/sessions/{session}": {
    expected: `404 404 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await newUser(desk)}/sessions/nobodys` }),
  },
  "post /users/{id}/invitation": {
    expected: `201 201 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await invitedUser(desk)}/invitation` }),
  },
  "post /users/{id}/password-reset": {
    expected: `201 201 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await newUser(desk)}/password-reset` }),
  },
  "get /users": { expected: everybodySignedIn },
  "post /users": {
    expected: `201 201 ${nobodyElse}`,
    call: async () => ({
      body: { email: `by${nextMade()}@example.com`, name: "By", role: "viewer" },
    }),
  },
  "get /users/{id}": {
    expected: everybodySignedIn,
    call: async ({ boss }) => ({ path: `/users/${boss.info.id}` }),
  },
  "patch /users/{id}": {
    expected: `200 200 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await newUser(desk)}`, body: { role: "editor" } }),
  },
  "delete /users/{id}": {
    expected: `204 204 ${nobodyElse}`,
    call: async (desk) => ({ path: `/users/${await newUser(desk)}` }),
  },
  "get /roles": { expected: everybodySignedIn },
  "post /roles": {
    expected: `201 201 ${nobodyElse}`,
    call: async () => ({ body: { name: `By ${nextMade()}`, rights: [], grants: {} } }),
  },
  "post /roles/preview": {
    expected: `200 200 ${nobodyElse}`,
    call: async () => ({ body: { table: "incidents", grants: { incidents: { read: true } } } }),
  },
  "get /roles/{id}": {
    expected: everybodySignedIn,
    call: async (desk) => ({ path: `/roles/${await newRole(desk)}` }),
  },
  "patch /roles/{id}": {
    expected: `200 200 ${nobodyElse}`,
    call: async (desk) => ({ path: `/roles/${await newRole(desk)}`, body: { rights: ["users"] } }),
  },
  "delete /roles/{id}": {
    expected: `204 204 ${nobodyElse}`,
    call: async (desk) => ({ path: `/roles/${await newRole(desk)}` }),
  },
  "get /security-events": { expected: `200 200 ${nobodyElse}` },
  "get /model": { expected: everybodySignedIn },
  "put /model": {
    expected: `200 200 ${nobodyElse}`,
    call: async ({ boss }) => ({ path: "/model?dryRun=1", body: await boss.call("GET", "/model") }),
  },
  "get /model/versions": { expected: `200 200 ${nobodyElse}` },
  "get /model/versions/{version}": {
    expected: `200 200 ${nobodyElse}`,
    call: async () => ({ path: "/model/versions/current" }),
  },
  "get /tables/{table}/records": {
    expected: readers,
    call: async () => ({ path: `${TABLE}/records` }),
  },
  "post /tables/{table}/records": {
    expected: "201 201 201 403 404 401 401",
    call: async () => ({ path: `${TABLE}/records`, body: { values: { title: "new" } } }),
  },
  "get /tables/{table}/records/{id}": {
    expected: readers,
    call: async (desk) => ({ path: `${TABLE}/records/${await newRecord(desk)}` }),
  },
  "get /tables/{table}/records/{id}/history": {
    expected: readers,
    call: async (desk) => ({ path: `${TABLE}/records/${await newRecord(desk)}/history` }),
  },
  "patch /tables/{table}/records/{id}": {
    expected: "200 200 200 403 404 401 401",
    call: async (desk) => ({
      path: `${TABLE}/records/${await newRecord(desk)}?overwrite=true`,
      body: { set: { title: "other" } },
    }),
  },
  "delete /tables/{table}/records/{id}": {
    expected: "204 204 204 403 404 401 401",
    call: async (desk) => ({ path: `${TABLE}/records/${await newRecord(desk)}?overwrite=true` }),
  },
  "post /tables/{table}/records/{id}/restore": {
    expected: "200 200 200 403 404 401 401",
    call: async (desk) => ({ path: `${TABLE}/records/${await deletedRecord(desk)}/restore` }),
  },
  "post /tables/{table}/records/{id}/transitions/{name}": {
    // Whether the move exists is the model's matter; 200 and 403 where it does.
    expected: "200|422 200|422 200|422 403|422 404 401 401",
    call: async (desk) => ({
      path: `${TABLE}/records/${await newRecord(desk)}/transitions/activate`,
      body: { from: "New" },
    }),
  },
  "post /mutations": {
    expected: everybodySignedIn,
    call: async () => ({
      body: {
        id: crypto.randomUUID(),
        ops: [{ op: "create", table: "incidents", values: { title: "x" } }],
      },
    }),
  },
  "post /tables/{table}/imports": {
    expected: readers,
    call: async () => ({ path: `${TABLE}/imports?dryRun=true`, body: "title\nfrom a file\n" }),
  },
  "get /tables/{table}/summary": {
    expected: readers,
    call: async () => ({ path: `${TABLE}/summary` }),
  },
  "get /changes": {
    expected: readers,
    call: async () => ({ path: "/changes?table=incidents&limit=1" }),
  },
  ...viewRows,
  ...wallRows,
  // Last: whoever calls it is out.
  "delete /session": { expected: "204 204 204 204 204 204 204" },
};
