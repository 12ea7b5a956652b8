import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { defineRoutes, listOf } from "./route.ts";

/**
 * Events about users, sign-ins and rights. One flat list of kinds, in groups for the filter of the screen;
 * the detail of each is small and contains no secret.
 */
export const securityEventGroups = {
  signIns: ["sign_in", "signed_out"],
  failures: ["sign_in_failed", "sign_in_throttled", "proof_failed"],
  credentials: [
    "password_changed",
    "password_reset_made",
    "password_reset",
    "factor_added",
    "factor_removed",
    "factors_taken_away",
    "recovery_codes_renewed",
  ],
  providers: [
    "provider_added",
    "provider_changed",
    "provider_removed",
    "sign_in_policy_changed",
    "account_linked",
    "account_unlinked",
    "break_glass_used",
  ],
  sessions: ["session_ended", "sessions_ended"],
  people: ["user_added", "user_changed", "user_removed", "invitation_made", "invitation_accepted"],
  roles: ["role_added", "role_changed", "role_removed"],
  tokens: ["token_created", "token_renamed", "token_revoked", "token_used"],
  displays: ["display_paired", "display_taken_over", "display_revoked", "display_removed"],
  webhooks: [
    "webhook_added",
    "webhook_changed",
    "webhook_secret_replaced",
    "webhook_removed",
    "webhook_missed",
  ],
  model: ["model_changed"],
  data: [
    "log_exported",
    "records_exported",
    "values_erased",
    "user_erased",
    "capture_bypassed",
    "capture_restored",
  ],
} as const;

export type SecurityEventGroup = keyof typeof securityEventGroups;
export type SecurityEventKind = (typeof securityEventGroups)[SecurityEventGroup][number];

export const securityEventKinds = Object.values(securityEventGroups).flat() as SecurityEventKind[];

/** A user or object by id, with its name at that time. */
const namedSchema = z.object({ id: z.string(), name: z.string().nullable() });

export const securityEventSchema = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(securityEventKinds as [SecurityEventKind, ...SecurityEventKind[]]),
  /** The actor; null if unknown: a failed sign-in. */
  actor: namedSchema.nullable(),
  /** The affected user or role; null if it is the actor. */
  subject: namedSchema.nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  detail: z.record(z.string(), jsonSchema),
});
export type SecurityEvent = z.infer<typeof securityEventSchema>;

const groups = Object.keys(securityEventGroups) as [SecurityEventGroup, ...SecurityEventGroup[]];

/** `GET /security-events`: the newest first; `before` is the id of the last one of the previous page. */
export const securityEventsQuerySchema = z.strictObject({
  group: z.enum(groups).optional().describe("Only events of this group."),
  user: z.string().max(120).optional().describe("Only events by or about this user."),
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional()
    .describe("The id of the last event of the previous page."),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe("The most items to return."),
});
export type SecurityEventsQuery = z.infer<typeof securityEventsQuerySchema>;

/** Security events about users and rights. */
export const securityEventRoutes = defineRoutes(() => ({
  "GET /security-events": {
    tokens: true,
    summary: "Sign-ins, failures, factors, sessions, and changes of users, roles and model.",
    right: "activity",
    query: securityEventsQuerySchema,
    answer: listOf(securityEventSchema),
  },
}));
