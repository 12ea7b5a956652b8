import type { userRoutes } from "../../../shared/contract/users.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function userHandlers({
  auth: { users },
  config,
}: Pick<AppDeps, "auth" | "config">): Handlers<typeof userRoutes> {
  return {
    "GET /users": async ({ identity }) => listed(await users.list(identity.subject)),
    "POST /users": async ({ identity, body, request }) => {
      const { user, invitation } = await users.add(identity.subject, body);
      const link = invitation && `${baseUrl(request, config.publicUrl)}/invitation#${invitation}`;
      return created("GET /users/{id}", link ? { ...user, invitation: link } : user);
    },
    "GET /users/{id}": ({ identity, params }) => users.one(identity.subject, params.id),
    "PATCH /users/{id}": ({ identity, params, body }) =>
      users.change(identity.subject, params.id, body),
    "DELETE /users/{id}": ({ identity, params }) => users.remove(identity.subject, params.id),
  };
}
