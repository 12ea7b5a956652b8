import type { RouteName } from "../../shared/protocol/contract.ts";
import { token } from "./call-fixtures.ts";
import { everybodySignedIn, type Row } from "./row.ts";

const ownerAlone = "403 403 403 403 401 401";
const policy = { providerOnly: [], secondFactor: [], breakGlass: null };

/** The paths of company accounts. Providers and the policy are for owners alone. */
export const providerRows = {
  "GET /identity-providers": { expected: `200 ${ownerAlone}` },
  "POST /identity-providers": {
    // nothing answers at that address
    expected: `422 ${ownerAlone}`,
    call: async () => {
      const client = { clientId: "console", clientSecret: "secret" };
      return { body: { id: "none", name: "None", issuer: "http://127.0.0.1:9", ...client } };
    },
  },
  "GET /identity-providers/{id}": {
    expected: `404 ${ownerAlone}`,
    call: async () => ({ path: "/identity-providers/none" }),
  },
  "GET /identity-providers/{id}/state": {
    expected: `404 ${ownerAlone}`,
    call: async () => ({ path: "/identity-providers/none/state" }),
  },
  "PATCH /identity-providers/{id}": {
    expected: `404 ${ownerAlone}`,
    call: async () => ({ path: "/identity-providers/none", body: { name: "Other" } }),
  },
  "DELETE /identity-providers/{id}": {
    expected: `404 ${ownerAlone}`,
    call: async () => ({ path: "/identity-providers/none" }),
  },
  "GET /sign-in-policy": { expected: `200 ${ownerAlone}` },
  "PUT /sign-in-policy": { expected: `200 ${ownerAlone}`, call: async () => ({ body: policy }) },
  "GET /sign-in-methods": { expected: "200 200 200 200 200 200 200" },
  "POST /session/proof/{provider}": {
    expected: "404 404 404 404 404 401 401",
    call: async () => ({ path: "/session/proof/none", body: {} }),
  },
  "POST /invitations/{token}/sign-in": {
    expected: "404 404 404 404 404 404 404",
    call: async () => ({ path: `/invitations/${token}/sign-in`, body: { provider: "none" } }),
  },
  "GET /me/linked-accounts": { expected: everybodySignedIn },
  "POST /me/linked-accounts": {
    expected: "422 422 422 422 422 401 401",
    call: async () => ({ body: { provider: "none", password: "not my password" } }),
  },
  "DELETE /me/linked-accounts/{id}": {
    expected: "404 404 404 404 404 401 401",
    call: async () => ({ path: "/me/linked-accounts/none" }),
  },
} satisfies Partial<Record<RouteName, Row>>;
