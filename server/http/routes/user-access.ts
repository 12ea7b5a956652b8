import type { userAccessRoutes } from "../../../shared/contract/users.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import type { Handlers } from "../handlers.ts";
import { listed } from "../handlers.ts";

export function userAccessHandlers({
  auth,
  config,
}: Pick<AppDeps, "auth" | "config">): Handlers<typeof userAccessRoutes> {
  const { sessions, factors, invitations, passwords } = auth;
  return {
    "GET /users/{id}/sessions": async ({ identity, params }) =>
      listed(await sessions.of(identity, params.id)),
    "DELETE /users/{id}/sessions": async ({ identity, params }) => ({
      ended: await sessions.endAllOf(identity.subject, params.id),
    }),
    "DELETE /users/{id}/sessions/{session}": ({ identity, params }) =>
      sessions.endOf(identity.subject, params.id, params.session),
    "GET /users/{id}/factors": ({ identity, params }) => factors.of(identity.subject, params.id),
    "DELETE /users/{id}/factors": ({ identity, params }) =>
      factors.removeAllOf(identity.subject, params.id),
    "POST /users/{id}/invitation": async ({ identity, params, request }) => {
      const { token, expires } = await invitations.reissue(identity.subject, params.id);
      return { link: `${baseUrl(request, config.publicUrl)}/invitation#${token}`, expires };
    },
    "POST /users/{id}/password-reset": async ({ identity, params, request }) => {
      const { token, expires } = await passwords.issueReset(identity.subject, params.id);
      return { link: `${baseUrl(request, config.publicUrl)}/password-reset#${token}`, expires };
    },
  };
}
