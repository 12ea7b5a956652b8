import { z } from "zod";

/**
 * What happened to who may come in, and to what they may. One flat list of kinds, in groups for the
 * filter of the screen; the detail of each is small and holds no secret.
 */
export const securityEventGroups = {
  signIns: ["sign_in", "signed_out"],
  failures: ["sign_in_failed", "sign_in_throttled"],
  credentials: [
    "password_changed",
    "password_reset_made",
    "password_reset",
    "factor_added",
    "factor_removed",
    "factors_taken_away",
    "recovery_codes_renewed",
  ],
  sessions: ["session_ended", "sessions_ended"],
  people: ["user_added", "user_changed", "user_removed", "invitation_made", "invitation_accepted"],
  roles: ["role_added", "role_changed", "role_removed"],
  displays: ["display_paired", "display_revoked", "display_removed"],
  model: ["model_changed"],
  data: ["capture_bypassed", "capture_restored"],
} as const;

export type SecurityEventGroup = keyof typeof securityEventGroups;
export type SecurityEventKind = (typeof securityEventGroups)[SecurityEventGroup][number];

export const securityEventKinds = Object.values(securityEventGroups).flat() as SecurityEventKind[];

/** Somebody or something by id, with the name that it had then. */
const namedSchema = z.object({ id: z.string(), name: z.string().nullable() });

export const securityEventSchema = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(securityEventKinds as [SecurityEventKind, ...SecurityEventKind[]]),
  /** Who did it; null where nobody is known: a failed sign-in. */
  actor: namedSchema.nullable(),
  /** The person or role that it was done to; null where it is the actor. */
  subject: namedSchema.nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  detail: z.record(z.string(), z.json()),
});
export type SecurityEvent = z.infer<typeof securityEventSchema>;

const groups = Object.keys(securityEventGroups) as [SecurityEventGroup, ...SecurityEventGroup[]];

/** `GET /security-events`: the newest first; `before` is the id of the last one of the page before. */
export const securityEventsQuerySchema = z.strictObject({
  group: z.enum(groups).optional(),
  /** By or about this person. */
  user: z.string().max(120).optional(),
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type SecurityEventsQuery = z.infer<typeof securityEventsQuerySchema>;
