import type { roleRoutes } from "../../../shared/protocol/roles.ts";
import type { securityEventRoutes } from "../../../shared/protocol/security-events.ts";
import { addRole, allRoles, changeRole, oneRole, removeRole } from "../../auth/roles.ts";
import { readSecurityEvents } from "../../auth/security-log.ts";
import { redactEvent } from "../../policy/redact-event.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function roleHandlers({ auth, commands }: AppDeps): Handlers<typeof roleRoutes> {
  return {
    "GET /roles": async ({ me }) => listed(await allRoles(auth, me)),
    "POST /roles": async ({ me, body }) =>
      created("GET /roles/{id}", await addRole(auth, me, body)),
    "POST /roles/preview": ({ identity, body }) => commands.previewRole(identity, body),
    "GET /roles/{id}": ({ me, params }) => oneRole(auth, me, params.id),
    "PATCH /roles/{id}": ({ me, params, body }) => changeRole(auth, me, params.id, body),
    "DELETE /roles/{id}": ({ me, params }) => removeRole(auth, me, params.id),
  };
}

export function securityEventHandlers({
  auth,
  model,
}: AppDeps): Handlers<typeof securityEventRoutes> {
  return {
    "GET /security-events": async ({ identity: { subject }, query }) => {
      const { items, total } = await readSecurityEvents(auth.db, subject, query);
      return { items: items.map((one) => redactEvent(one, subject, model())), total };
    },
  };
}
