import { z } from "zod";
import {
  createWebhookSchema,
  deliverySchema,
  patchWebhookSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from "../protocol/webhooks.ts";
import { limitParam } from "./query-params.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

const one = { right: "webhooks", params: byId } as const;
const own = { ...one, ownerOnly: true } as const;

/**
 * Webhooks send changes of a table to an address, by the rights of the user who created them. Everybody with the right
 * sees, pauses and removes all of them; only its owner changes or tests one.
 */
export const webhookRoutes = defineRoutes({
  "GET /webhooks": {
    summary: "The webhooks, and how each is doing.",
    right: "webhooks",
    answer: listOf(webhookSchema),
  },
  "POST /webhooks": {
    summary: "Create a webhook; only this answer holds its secret. It sends changes from now on.",
    right: "webhooks",
    body: createWebhookSchema,
    answer: webhookWithSecretSchema,
    status: 201,
    errors: ["not_found", "too_large", "validation_failed"],
  },
  "GET /webhooks/{id}": { ...one, summary: "One webhook.", answer: webhookSchema },
  "PATCH /webhooks/{id}": {
    ...own,
    summary: "Change a webhook of one's own; what is absent stays.",
    body: patchWebhookSchema,
    answer: webhookSchema,
    errors: ["validation_failed"],
  },
  "DELETE /webhooks/{id}": { ...one, summary: "Remove a webhook with its deliveries." },
  "POST /webhooks/{id}/pause": {
    ...one,
    summary: "Stop sending. Changes meanwhile are sent after it is resumed.",
    answer: webhookSchema,
  },
  "POST /webhooks/{id}/resume": {
    ...one,
    summary: "Send again, from where it was paused; also confirms that changes were missed.",
    answer: webhookSchema,
  },
  "POST /webhooks/{id}/test": {
    ...own,
    summary: "Send a test event now, from one's own webhook, and answer its outcome.",
    answer: deliverySchema,
    errors: ["rate_limited"],
  },
  "POST /webhooks/{id}/rotate-secret": {
    ...own,
    summary: "Replace the secret of one's own webhook. The former one also signs for 24 hours.",
    answer: webhookWithSecretSchema,
  },
  "GET /webhooks/{id}/deliveries": {
    ...one,
    summary: "The deliveries of a webhook, the newest first.",
    query: z.strictObject({
      before: z
        .string()
        .max(120)
        .optional()
        .describe("The id of the last delivery of the previous page."),
      limit: limitParam.pipe(z.int().min(1).max(200)).default(50),
    }),
    answer: listOf(deliverySchema),
  },
  "POST /webhooks/{id}/deliveries/{delivery}/replay": {
    ...own,
    summary: "Send an event of one's own webhook again, as its change is to be shown now.",
    params: byId.extend({ delivery: z.string().max(120).describe("The id of the delivery.") }),
    answer: deliverySchema,
  },
});
