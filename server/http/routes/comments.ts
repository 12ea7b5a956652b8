import type { commentRoutes } from "../../../shared/protocol/comments.ts";
import {
  addComment,
  changeComment,
  markThreadRead,
  mentionableUsers,
  oneComment,
  removeComment,
  restoreComment,
} from "../../comments/comments.ts";
import { visibleComments } from "../../comments/visible-comments.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function commentHandlers({ comments }: AppDeps): Handlers<typeof commentRoutes> {
  return {
    "GET /comments": ({ identity, query }) => visibleComments(comments, identity, query),
    "POST /comments": async ({ identity, body }) =>
      created("GET /comments/{id}", await addComment(comments, identity, body)),
    "GET /comments/mentionable": async ({ identity, query }) =>
      listed(await mentionableUsers(comments, identity, query)),
    "PUT /comments/read": ({ identity, body }) => markThreadRead(comments, identity, body),
    "GET /comments/{id}": ({ identity, params }) => oneComment(comments, identity, params.id),
    "PATCH /comments/{id}": ({ identity, params, body }) =>
      changeComment(comments, identity, params.id, body),
    "DELETE /comments/{id}": ({ identity, params }) => removeComment(comments, identity, params.id),
    "POST /comments/{id}/restore": ({ identity, params }) =>
      restoreComment(comments, identity, params.id),
  };
}
