import type { userRoutes } from "../../../shared/contract/users.ts";
import { addUser, allUsers, changeUser, oneUser, removeUser } from "../../auth/users.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function userHandlers({ auth, config }: AppDeps): Handlers<typeof userRoutes> {
  return {
    "GET /users": async ({ identity }) => listed(await allUsers(auth, identity.subject)),
    "POST /users": async ({ identity, body, request }) => {
      const { user, invitation } = await addUser(auth, identity.subject, body);
      const link = invitation && `${baseUrl(request, config.publicUrl)}/invitation#${invitation}`;
      return created("GET /users/{id}", link ? { ...user, invitation: link } : user);
    },
    "GET /users/{id}": ({ identity, params }) => oneUser(auth, identity.subject, params.id),
    "PATCH /users/{id}": ({ identity, params, body }) =>
      changeUser(auth, identity.subject, params.id, body),
    "DELETE /users/{id}": ({ identity, params }) => removeUser(auth, identity.subject, params.id),
  };
}
