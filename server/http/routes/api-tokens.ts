import type { apiTokenRoutes } from "../../../shared/contract/api-tokens.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function apiTokenHandlers({
  auth: { tokens },
}: Pick<AppDeps, "auth">): Handlers<typeof apiTokenRoutes> {
  return {
    "GET /tokens": async ({ identity }) => listed(await tokens.list(identity.subject)),
    "POST /tokens": async ({ identity, body }) =>
      created("GET /tokens/{id}", await tokens.add(identity.subject, body)),
    "GET /tokens/{id}": ({ identity, params }) => tokens.one(identity.subject, params.id),
    "PATCH /tokens/{id}": ({ identity, params, body }) =>
      tokens.rename(identity.subject, params.id, body.name),
    "DELETE /tokens/{id}": ({ identity, params }) => tokens.revoke(identity.subject, params.id),
  };
}
