import type { apiTokenRoutes } from "../../../shared/contract/api-tokens.ts";
import { addToken, allTokens, oneToken, removeToken, renameToken } from "../../auth/api-tokens.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function apiTokenHandlers({ auth }: AppDeps): Handlers<typeof apiTokenRoutes> {
  return {
    "GET /tokens": async ({ identity }) => listed(await allTokens(auth, identity.subject)),
    "POST /tokens": async ({ identity, body }) =>
      created("GET /tokens/{id}", await addToken(auth, identity.subject, body)),
    "GET /tokens/{id}": ({ identity, params }) => oneToken(auth, identity.subject, params.id),
    "PATCH /tokens/{id}": ({ identity, params, body }) =>
      renameToken(auth, identity.subject, params.id, body.name),
    "DELETE /tokens/{id}": ({ identity, params }) => removeToken(auth, identity.subject, params.id),
  };
}
