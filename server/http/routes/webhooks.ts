import type { webhookRoutes } from "../../../shared/protocol/webhooks.ts";
import {
  addWebhook,
  allWebhooks,
  changeWebhook,
  deliveriesOf,
  oneWebhook,
  removeWebhook,
  replayDeliveryOf,
  rotateSecret,
  setWebhookPaused,
  testWebhook,
} from "../../webhooks/webhooks.ts";
import type { AppDeps } from "../app-deps.ts";
import { created, type Handlers, listed } from "../handlers.ts";

export function webhookHandlers({ webhooks }: AppDeps): Handlers<typeof webhookRoutes> {
  return {
    "GET /webhooks": async ({ identity }) => listed(await allWebhooks(webhooks, identity)),
    "POST /webhooks": async ({ identity, body }) =>
      created("GET /webhooks/{id}", await addWebhook(webhooks, identity, body)),
    "GET /webhooks/{id}": ({ identity, params }) => oneWebhook(webhooks, identity, params.id),
    "PATCH /webhooks/{id}": ({ identity, params, body }) =>
      changeWebhook(webhooks, identity, params.id, body),
    "DELETE /webhooks/{id}": ({ identity, params }) => removeWebhook(webhooks, identity, params.id),
    "POST /webhooks/{id}/pause": ({ identity, params }) =>
      setWebhookPaused(webhooks, identity, params.id, true),
    "POST /webhooks/{id}/resume": ({ identity, params }) =>
      setWebhookPaused(webhooks, identity, params.id, false),
    "POST /webhooks/{id}/test": ({ identity, params }) =>
      testWebhook(webhooks, identity, params.id),
    "POST /webhooks/{id}/rotate-secret": ({ identity, params }) =>
      rotateSecret(webhooks, identity, params.id),
    "GET /webhooks/{id}/deliveries": ({ identity, params, query }) =>
      deliveriesOf(webhooks, identity, params.id, query),
    "POST /webhooks/{id}/deliveries/{delivery}/replay": ({ identity, params }) =>
      replayDeliveryOf(webhooks, identity, params.id, params.delivery),
  };
}
