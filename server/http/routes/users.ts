import type { userRoutes } from "../../../shared/protocol/users.ts";
import { addUser, allUsers, changeUser, oneUser, removeUser } from "../../auth/users.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function userHandlers({ auth, config }: AppDeps): Handlers<typeof userRoutes> {
  return {
    "GET /users": async ({ me }) => listed(await allUsers(auth, me)),
    "POST /users": async ({ identity, body, request }) => {
      const { user, invitation } = await addUser(auth, identity, body);
      if (!invitation) return created("GET /users/{id}", user);
      const { token, mailed } = invitation;
      const link = `${baseUrl(request, config.publicUrl)}/invitation#${token}`;
      return created("GET /users/{id}", { ...user, invitation: link, mailed });
    },
    "GET /users/{id}": ({ me, params }) => oneUser(auth, me, params.id),
    "PATCH /users/{id}": ({ me, params, body }) => changeUser(auth, me, params.id, body),
    "DELETE /users/{id}": ({ me, params }) => removeUser(auth, me, params.id),
  };
}
