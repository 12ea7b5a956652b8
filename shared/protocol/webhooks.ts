import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { limitParam } from "./query-params.ts";
import { authorSchema, nameSchema, valuesSchema } from "./record.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** What a webhook can send. A change is one event: of a transition, or else by what it does in the webhook's scope. */
export const webhookEvents = ["created", "updated", "deleted", "transition"] as const;
export const webhookEventSchema = z.enum(webhookEvents);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

const webhookNameSchema = z.string().trim().min(1).max(100).refine(isStorable, NOT_STORABLE);
const urlSchema = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .max(2_000)
  .regex(/^[^#@\\]*$|^[^#@\\/]*\/\/[^#@\\/?]+[/?][^#\\]*$/, "must have no user and no fragment")
  .refine(isStorable, NOT_STORABLE);
const eventsSchema = z
  .array(webhookEventSchema)
  .min(1)
  .max(webhookEvents.length)
  .refine((events) => new Set(events).size === events.length, "must not repeat an event");

/** `POST /webhooks`. Without `filter`: all records that its owner may read; without `fields`: all such fields. */
const createWebhookSchema = z.strictObject({
  name: webhookNameSchema,
  url: urlSchema,
  table: nameSchema,
  events: eventsSchema,
  filter: filterSchema.nullish(),
  fields: z.array(nameSchema).min(1).max(500).nullish(),
});
export type CreateWebhookCall = z.infer<typeof createWebhookSchema>;

/** `PATCH /webhooks/:id`: absent properties do not change. The table can't be changed: a position belongs to its feed. */
const patchWebhookSchema = createWebhookSchema.omit({ table: true }).partial();
export type PatchWebhookCall = z.infer<typeof patchWebhookSchema>;

/**
 * `stopped`: its owner may not send these changes any more. `missed`: changes could not be sent, because the log does
 * not hold them any more. `failing`: the last attempt failed.
 */
export const webhookStateSchema = z.enum(["active", "paused", "stopped", "missed", "failing"]);
export type WebhookState = z.infer<typeof webhookStateSchema>;

/** Why it is stopped, or what was missed. */
export const webhookReasonSchema = z.enum(["owner", "table", "filter", "secret", "floor", "epoch"]);
export type WebhookReason = z.infer<typeof webhookReasonSchema>;

/** A webhook as the console shows it. Its address, filter and fields are whole for its owner only. */
const webhookSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** For others than the owner only the origin: the rest may contain a secret of the receiver. */
  url: z.string(),
  /** Null for readers without the right to read the table. */
  table: z.string().nullable(),
  events: z.array(webhookEventSchema),
  filter: filterSchema.nullable(),
  fields: z.array(z.string()).nullable(),
  /** The user by whose rights it sends; only they may change and test it. `name` is null for a removed user. */
  owner: z.object({ id: z.string(), name: z.string().nullable() }),
  isMine: z.boolean(),
  /** The API token that created it, by whose rights it sends then; it stops when the token ends. */
  token: z.object({ id: z.string(), name: z.string() }).nullable(),
  state: webhookStateSchema,
  reason: webhookReasonSchema.nullable(),
  missedAt: z.string().nullable(),
  /** Failed attempts since the last success. */
  failures: z.int(),
  /** Deliveries that wait or are tried again, and those that were given up and not repeated. */
  open: z.int(),
  givenUp: z.int(),
  last: z.object({ at: z.string(), ok: z.boolean(), status: z.int().nullable() }).nullable(),
  /** Until then requests are signed by the former secret, too. */
  formerSecretUntil: z.string().nullable(),
  createdAt: z.string(),
});
export type WebhookInfo = z.infer<typeof webhookSchema>;

/** The answer that holds the secret; no other does. */
const webhookWithSecretSchema = webhookSchema.extend({ secret: z.string() });
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;

/** `skipped`: by the rights, filter or events of that moment there was nothing to send. */
export const deliveryStateSchema = z.enum([
  "due",
  "retrying",
  "delivered",
  "given_up",
  "skipped",
  "missed",
]);
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

export const webhookFailureSchema = z.enum([
  "status",
  "redirect",
  "timeout",
  "address_refused",
  "unresolved",
  "connection",
  "certificate",
  "certificate_expired",
  "certificate_name",
  "log_swept",
]);
export type WebhookFailure = z.infer<typeof webhookFailureSchema>;

/** One event on its way, without its values. */
const deliverySchema = z.object({
  /** The `webhook-id` of its requests, the same for each attempt. */
  id: z.string(),
  /** `missed`: the log no longer held the changes; nothing was sent. */
  kind: z.enum(["change", "test", "missed"]),
  type: z.string().nullable(),
  /** Null if the reader may not see the change. */
  record: z.string().nullable(),
  version: z.string().nullable(),
  state: deliveryStateSchema,
  reason: webhookReasonSchema.nullable(),
  attempts: z.int(),
  nextAt: z.string().nullable(),
  status: z.int().nullable(),
  error: webhookFailureSchema.nullable(),
  /** The beginning of the receiver's answer to the last attempt; for the owner only. */
  excerpt: z.string().nullable(),
  durationMs: z.int().nullable(),
  createdAt: z.string(),
  attemptedAt: z.string().nullable(),
});
export type WebhookDelivery = z.infer<typeof deliverySchema>;

/** The body of a request. */
export const webhookBodySchema = z.object({
  type: z.enum(["record.created", "record.updated", "record.deleted", "record.transition"]),
  table: z.string(),
  record: z.string(),
  version: z.string(),
  transition: z.string().optional(),
  /** Only fields that differ. Empty for a record that was deleted or has left the webhook's scope. */
  changes: z.record(z.string(), z.object({ before: jsonSchema, after: jsonSchema })),
  /** Every field of the webhook; of a deleted record as it was before. */
  values: valuesSchema,
  by: authorSchema,
  at: z.string(),
  /** The id of the mutation that made the change, by which a receiver knows its own edits. Absent where another program made it. */
  mutation: z.string().optional(),
});
export type WebhookBody = z.infer<typeof webhookBodySchema>;

const one = { tokens: true, right: "webhooks", params: byId } as const;
const own = { ...one, ownerOnly: true } as const;

/**
 * Webhooks send changes of a table to an address, by the rights of the user, or of the API token, that created them. Everybody with
 * the right sees, pauses and removes all of them; only its owner changes or tests one, and a token only those that it has created.
 */
export const webhookRoutes = defineRoutes(() => ({
  "GET /webhooks": {
    tokens: true,
    summary: "The webhooks, and how each is doing.",
    right: "webhooks",
    answer: listOf(webhookSchema),
  },
  "POST /webhooks": {
    tokens: true,
    needsProof: true,
    summary: "Create a webhook; only this answer holds its secret. It sends changes from now on.",
    right: "webhooks",
    body: createWebhookSchema,
    answer: webhookWithSecretSchema,
    status: 201,
    errors: ["not_found", "too_large", "validation_failed"],
  },
  "GET /webhooks/{id}": { ...one, summary: "One webhook.", answer: webhookSchema },
  "PATCH /webhooks/{id}": {
    needsProof: true,
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
    needsProof: true,
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
}));
