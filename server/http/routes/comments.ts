import type { commentRoutes } from "../../../shared/contract/comments.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function commentHandlers({
  comments,
}: Pick<AppDeps, "comments">): Handlers<typeof commentRoutes> {
  return {
    "GET /comments": ({ identity, query }) => comments.list(identity, query),
    "POST /comments": async ({ identity, body }) =>
      created("GET /comments/{id}", await comments.create(identity, body)),
    "GET /comments/mentionable": async ({ identity, query }) =>
      listed(await comments.mentionable(identity, query)),
    "PUT /comments/read": ({ identity, body }) => comments.markRead(identity, body),
    "GET /comments/{id}": ({ identity, params }) => comments.one(identity, params.id),
    "PATCH /comments/{id}": ({ identity, params, body }) =>
      comments.change(identity, params.id, body),
    "DELETE /comments/{id}": ({ identity, params }) => comments.remove(identity, params.id),
    "POST /comments/{id}/restore": ({ identity, params }) => comments.restore(identity, params.id),
  };
}
