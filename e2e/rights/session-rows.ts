import type { RouteName } from "../../shared/protocol/contract.ts";
import { newUser, password, token } from "./call-fixtures.ts";
import { everybodySignedIn, nobodyElse, type Row } from "./row.ts";

/** Of a signed-in user who does not prove it again. */
const wrongPassword = "422 422 422 422 422 401 401";
const unproven = { password: "not my password" };
const noPasskey = {
  id: "none",
  rawId: "none",
  type: "public-key",
  response: { clientDataJSON: "e30" },
  clientExtensionResults: {},
};

/** The paths of signing in, and of sessions, factors and passwords. */
export const sessionRows = {
  "POST /session": {
    expected: "401 401 401 401 401 401 401",
    call: async () => ({ body: { email: "nobody@example.com", password } }),
  },
  "GET /session": { expected: everybodySignedIn },
  "GET /sign-in/{token}": {
    expected: "303 303 303 303 303 303 303",
    call: async () => ({ path: `/sign-in/${token}` }),
  },
  "GET /setup": { expected: "200 200 200 200 200 200 200" },
  "POST /setup": {
    expected: "403 403 403 403 403 403 403",
    call: async () => {
      const who = { email: "new@example.com", name: "New", password };
      return { body: { token, ...who, template: "empty" } };
    },
  },
  "GET /invitations/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/invitations/${token}` }),
  },
  "POST /invitations/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/invitations/${token}`, body: { password } }),
  },
  "GET /me/sessions": { expected: everybodySignedIn },
  "DELETE /me/sessions": { expected: everybodySignedIn },
  "DELETE /me/sessions/{id}": {
    expected: "404 404 404 404 404 401 401",
    call: async () => ({ path: "/me/sessions/nobodys" }),
  },
  "POST /session/passkey-challenge": { expected: "200 200 200 200 200 200 200" },
  "POST /session/passkey": {
    expected: "401 401 401 401 401 401 401",
    call: async () => ({ body: { response: noPasskey } }),
  },
  // Theirs lacks none: there is nothing to complete.
  "POST /session/factor": {
    expected: "204 204 204 204 204 401 401",
    call: async () => ({ body: { code: "000000" } }),
  },
  "POST /session/proof": { expected: wrongPassword, call: async () => ({ body: unproven }) },
  "GET /me/factors": { expected: everybodySignedIn },
  "POST /me/totp": { expected: wrongPassword, call: async () => ({ body: unproven }) },
  "PUT /me/totp": { expected: wrongPassword, call: async () => ({ body: { code: "000000" } }) },
  "DELETE /me/totp": { expected: wrongPassword, call: async () => ({ body: unproven }) },
  "POST /me/recovery-codes": { expected: wrongPassword, call: async () => ({ body: unproven }) },
  "POST /me/passkeys/challenge": {
    expected: wrongPassword,
    call: async () => ({ body: unproven }),
  },
  "POST /me/passkeys": {
    expected: wrongPassword,
    call: async () => ({ body: { name: "Key", response: noPasskey } }),
  },
  "DELETE /me/passkeys/{id}": {
    expected: wrongPassword,
    call: async () => ({ path: "/me/passkeys/none", body: unproven }),
  },
  "GET /users/{id}/factors": {
    expected: `200 200 ${nobodyElse}`,
    call: async (installation) => ({ path: `/users/${await newUser(installation)}/factors` }),
  },
  "DELETE /users/{id}/factors": {
    expected: `204 204 ${nobodyElse}`,
    call: async (installation) => ({ path: `/users/${await newUser(installation)}/factors` }),
  },
  "PUT /me/password": {
    expected: wrongPassword,
    call: async () => ({ body: { current: "not my password", password } }),
  },
  "GET /password-resets/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/password-resets/${token}` }),
  },
  "POST /password-resets/{token}": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/password-resets/${token}`, body: { password } }),
  },
  "GET /users/{id}/sessions": {
    expected: `200 200 ${nobodyElse}`,
    call: async (installation) => ({ path: `/users/${await newUser(installation)}/sessions` }),
  },
  "DELETE /users/{id}/sessions": {
    expected: `200 200 ${nobodyElse}`,
    call: async (installation) => ({ path: `/users/${await newUser(installation)}/sessions` }),
  },
  "DELETE /users/{id}/sessions/{session}": {
    expected: `404 404 ${nobodyElse}`,
    call: async (installation) => ({
      path: `/users/${await newUser(installation)}/sessions/nobodys`,
    }),
  },
} satisfies Partial<Record<RouteName, Row>>;
