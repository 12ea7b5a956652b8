import type { userAccessRoutes } from "../../../shared/protocol/users.ts";
import { managedFactors, removeFactorsOf } from "../../auth/factors.ts";
import { reissueInvitation } from "../../auth/invitations.ts";
import { issueReset } from "../../auth/passwords.ts";
import { endSessionOf, endSessionsOf, sessionsOf } from "../../auth/sessions.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import type { Handlers } from "../handlers.ts";
import { listed } from "../handlers.ts";

export function userAccessHandlers({ auth, config }: AppDeps): Handlers<typeof userAccessRoutes> {
  return {
    "GET /users/{id}/sessions": async ({ identity, params }) =>
      listed(await sessionsOf(auth, identity, params.id)),
    "DELETE /users/{id}/sessions": ({ me, params, query }) =>
      endSessionsOf(auth, me, params.id, query.revoke),
    "DELETE /users/{id}/sessions/{session}": ({ me, params }) =>
      endSessionOf(auth, me, params.id, params.session),
    "GET /users/{id}/factors": ({ me, params }) => managedFactors(auth, me, params.id),
    "DELETE /users/{id}/factors": ({ me, params }) => removeFactorsOf(auth, me, params.id),
    "POST /users/{id}/invitation": async ({ identity, params, request }) => {
      const { token, ...link } = await reissueInvitation(auth, identity.subject, params.id);
      return { link: `${baseUrl(request, config.publicUrl)}/invitation#${token}`, ...link };
    },
    "POST /users/{id}/password-reset": async ({ identity, params, request }) => {
      const { token, ...link } = await issueReset(auth, identity.subject, params.id);
      return { link: `${baseUrl(request, config.publicUrl)}/password-reset#${token}`, ...link };
    },
  };
}
