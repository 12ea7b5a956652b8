import type { webhookRoutes } from "../../../shared/contract/webhooks.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function webhookHandlers({
  webhooks,
}: Pick<AppDeps, "webhooks">): Handlers<typeof webhookRoutes> {
  return {
    "GET /webhooks": async ({ identity }) => listed(await webhooks.list(identity)),
    "POST /webhooks": async ({ identity, body }) =>
      created("GET /webhooks/{id}", await webhooks.create(identity, body)),
    "GET /webhooks/{id}": ({ identity, params }) => webhooks.one(identity, params.id),
    "PATCH /webhooks/{id}": ({ identity, params, body }) =>
      webhooks.change(identity, params.id, body),
    "DELETE /webhooks/{id}": ({ identity, params }) => webhooks.remove(identity, params.id),
    "POST /webhooks/{id}/pause": ({ identity, params }) =>
      webhooks.pause(identity, params.id, true),
    "POST /webhooks/{id}/resume": ({ identity, params }) =>
      webhooks.pause(identity, params.id, false),
    "POST /webhooks/{id}/test": ({ identity, params }) => webhooks.test(identity, params.id),
    "POST /webhooks/{id}/rotate-secret": ({ identity, params }) =>
      webhooks.rotateSecret(identity, params.id),
    "GET /webhooks/{id}/deliveries": ({ identity, params, query }) =>
      webhooks.deliveries(identity, params.id, query),
    "POST /webhooks/{id}/deliveries/{delivery}/replay": ({ identity, params }) =>
      webhooks.replay(identity, params.id, params.delivery),
  };
}
