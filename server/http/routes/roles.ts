import type { roleRoutes, securityEventRoutes } from "../../../shared/contract/roles.ts";
import { redactEvent } from "../../policy/redact-event.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function roleHandlers({
  auth: { roles },
  commands,
}: Pick<AppDeps, "auth" | "commands">): Handlers<typeof roleRoutes> {
  return {
    "GET /roles": async ({ identity }) => listed(await roles.list(identity.subject)),
    "POST /roles": async ({ identity, body }) =>
      created("GET /roles/{id}", await roles.add(identity.subject, body)),
    "POST /roles/preview": ({ identity, body }) => commands.previewRole(identity, body),
    "GET /roles/{id}": ({ identity, params }) => roles.one(identity.subject, params.id),
    "PATCH /roles/{id}": ({ identity, params, body }) =>
      roles.change(identity.subject, params.id, body),
    "DELETE /roles/{id}": ({ identity, params }) => roles.remove(identity.subject, params.id),
  };
}

export function securityEventHandlers({
  auth,
  model,
}: Pick<AppDeps, "auth" | "model">): Handlers<typeof securityEventRoutes> {
  return {
    "GET /security-events": async ({ identity: { subject }, query }) => {
      const { items, total } = await auth.securityEvents(subject, query);
      return { items: items.map((one) => redactEvent(one, subject, model())), total };
    },
  };
}
