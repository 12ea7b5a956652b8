import type { apiTokenRoutes } from "../../../shared/protocol/api-tokens.ts";
import { addToken, allTokens, oneToken, removeToken, renameToken } from "../../auth/api-tokens.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function apiTokenHandlers({ auth }: AppDeps): Handlers<typeof apiTokenRoutes> {
  return {
    "GET /tokens": async ({ me }) => listed(await allTokens(auth, me)),
    "POST /tokens": async ({ me, body }) =>
      created("GET /tokens/{id}", await addToken(auth, me, body)),
    "GET /tokens/{id}": ({ me, params }) => oneToken(auth, me, params.id),
    "PATCH /tokens/{id}": ({ me, params, body }) => renameToken(auth, me, params.id, body.name),
    "DELETE /tokens/{id}": ({ me, params }) => removeToken(auth, me, params.id),
  };
}
