import type { viewRoutes } from "../../../shared/contract/views.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function viewHandlers({ views }: Pick<AppDeps, "views">): Handlers<typeof viewRoutes> {
  return {
    "GET /views": async ({ identity, query }) =>
      listed(await views.list(identity.subject, query.table)),
    "POST /views": async ({ identity, body }) =>
      created("GET /views/{id}", await views.create(identity.subject, body)),
    "GET /views/{id}": ({ identity, params }) => views.one(identity.subject, params.id),
    "PATCH /views/{id}": ({ identity, params, body }) =>
      views.change(identity.subject, params.id, body),
    "DELETE /views/{id}": ({ identity, params }) => views.remove(identity.subject, params.id),
    "POST /views/{id}/restore": ({ identity, params }) =>
      views.restore(identity.subject, params.id),
  };
}
