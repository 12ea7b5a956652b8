import type { wallboardRoutes } from "../../../shared/contract/wallboards.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function wallboardHandlers({
  wallboards,
}: Pick<AppDeps, "wallboards">): Handlers<typeof wallboardRoutes> {
  return {
    "GET /wallboards": async ({ identity }) => listed(await wallboards.list(identity.subject)),
    "POST /wallboards": async ({ identity, body }) =>
      created("GET /wallboards/{id}", await wallboards.create(identity.subject, body)),
    "GET /wallboards/{id}": ({ identity, params }) => wallboards.one(identity.subject, params.id),
    "PATCH /wallboards/{id}": ({ identity, params, query, body }) =>
      wallboards.change(identity.subject, params.id, body, query.overwrite ?? false),
    "DELETE /wallboards/{id}": ({ identity, params }) =>
      wallboards.remove(identity.subject, params.id),
    "POST /wallboards/{id}/restore": ({ identity, params }) =>
      wallboards.restore(identity.subject, params.id),
    "POST /wallboards/{id}/publish": ({ identity, params, body }) =>
      wallboards.publish(identity.subject, params.id, body.version),
    "POST /wallboards/{id}/acknowledgements": ({ identity, params, body }) =>
      wallboards.acknowledge(identity.subject, params.id, body),
  };
}
