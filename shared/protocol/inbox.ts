import { z } from "zod";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { limitParam } from "./query-params.ts";
import { authorSchema, nameSchema, recordIdSchema } from "./record.ts";
import { byId, byToken, defineRoutes, listOf } from "./route.ts";
import { dimHoursSchema } from "./signals.ts";

/** The inbox: what a user is notified of, why, and how. */

/** `watch`: a change of a record or view that the user watches. `changeSet`: one of theirs has ended. */
export const inboxCauses = ["mention", "assignment", "watch", "changeSet"] as const;
export const inboxCauseSchema = z.enum(inboxCauses);
export type InboxCause = z.infer<typeof inboxCauseSchema>;

/** What happened to a watched record; how a change set ended. */
export type InboxEvent =
  | "created"
  | "changed"
  | "deleted"
  | "entered"
  | "left"
  | "applied"
  | "cancelled";

/** When something is mailed: at once, with the daily digest, or not. */
export const mailWhenSchema = z.enum(["now", "daily", "off"]);
export type MailWhen = z.infer<typeof mailWhenSchema>;

export const INBOX_MAX_ENTRIES = 1_000;
/** Counts are exact up to here. */
export const INBOX_COUNT_MAX = 100;
const INBOX_PAGE_MAX = 100;
export const WATCHES_MAX = 200;

/** A number, or that there are more than a hundred. */
const countSchema = z.union([z.int(), z.literal("99+")]);
export type InboxCount = z.infer<typeof countSchema>;

const entrySchema = z
  .object({
    id: z.string(),
    cause: inboxCauseSchema,
    /** Null where it is not about a record, but about the change set `record`. */
    table: z.string().nullable(),
    record: z.string(),
    /** A sentence, made at this moment of what the reader may read. */
    text: z.string(),
    /** Who caused the last of it; null: the passing of time. */
    by: authorSchema.nullable(),
    at: z.string(),
    read: z.boolean(),
  })
  .meta({ id: "InboxEntry" });
export type InboxItem = z.infer<typeof entrySchema>;

const idSchema = z.string().regex(/^\d{1,18}$/, "must be the id of an entry");

/** `POST /inbox/read`: some entries, all, or those about a record. */
const readInboxSchema = z.union([
  z.strictObject({ ids: z.array(idSchema).min(1).max(INBOX_MAX_ENTRIES) }),
  z.strictObject({ all: z.literal(true) }),
  z.strictObject({ table: nameSchema, record: recordIdSchema }),
]);
export type ReadInboxCall = z.infer<typeof readInboxSchema>;

/** `PUT /watches`: of a record, or of a view of the table. */
const watchCallSchema = z
  .strictObject({
    table: nameSchema,
    record: recordIdSchema.optional(),
    view: z.string().min(1).max(120).optional(),
    /** Only changes of these fields; by default of a record all, of a view none. */
    fields: z.array(nameSchema).min(1).max(500).optional(),
  })
  .refine(({ record, view }) => (record === undefined) !== (view === undefined), {
    error: "must name a record or a view",
  });
export type WatchCall = z.infer<typeof watchCallSchema>;

const watchSchema = z.object({
  id: z.string(),
  table: z.string(),
  record: z.string().nullable(),
  view: z.string().nullable(),
  fields: z.array(z.string()).nullable(),
  at: z.string(),
});
export type WatchInfo = z.infer<typeof watchSchema>;

const causeSettingsSchema = z.strictObject({ inbox: z.boolean(), mail: mailWhenSchema });
export type CauseSettings = z.infer<typeof causeSettingsSchema>;

/** Hours in which no mail is sent, in the user's zone; over midnight if `from` is later. */
const quietSchema = dimHoursSchema;

const settingsShape = {
  ...(Object.fromEntries(inboxCauses.map((cause) => [cause, causeSettingsSchema])) as Record<
    InboxCause,
    typeof causeSettingsSchema
  >),
  quiet: quietSchema.nullable(),
  /** Of the digest and the quiet hours. */
  zone: zoneSchema,
};

/** `PUT /me/notifications`: absent properties do not change; `quiet` is ended by null. */
export const changeNotificationsSchema = z.strictObject(settingsShape).partial();
export type ChangeNotificationsCall = z.infer<typeof changeNotificationsSchema>;

/** Why an installation sends no mail. */
export const mailOffSchema = z.enum(["not_configured", "no_public_url"]);
export type MailOff = z.infer<typeof mailOffSchema>;

const notificationsSchema = z.object({
  ...settingsShape,
  /** Null: the installation sends mail. */
  mailOff: mailOffSchema.nullable(),
});
export type NotificationSettings = Omit<z.infer<typeof notificationsSchema>, "mailOff">;

/** Everything here is the caller's own. What is shown is decided by what they may read at that moment. */
export const inboxRoutes = defineRoutes(() => ({
  "GET /inbox": {
    summary:
      "What I am notified of, newest first. Texts and counts are of what I may read now; counts above 100 are `99+`.",
    right: "session",
    query: z.strictObject({
      unread: z.literal("1").optional().describe("Only entries that were not read."),
      limit: limitParam.pipe(z.int().min(0).max(INBOX_PAGE_MAX)).default(50),
    }),
    answer: z.object({ items: z.array(entrySchema), total: countSchema, unread: countSchema }),
    errors: ["query_timeout"],
  },
  "POST /inbox/read": {
    summary: "Mark entries as read: some, all, or those about a record.",
    right: "session",
    body: readInboxSchema,
  },
  "GET /watches": {
    summary: "What I watch.",
    right: "session",
    answer: listOf(watchSchema),
  },
  "PUT /watches": {
    summary:
      "Watch a record, or which records enter and leave a view. A second watch of the same replaces its fields.",
    right: "session",
    body: watchCallSchema,
    answer: z.object({ id: z.string() }),
    errors: ["not_found", "record_deleted", "query_timeout", "too_large"],
  },
  "DELETE /watches/{id}": {
    summary: "End a watch.",
    right: "session",
    params: byId,
  },
  "GET /me/notifications": {
    summary: "Of what I am notified, and how.",
    right: "session",
    answer: notificationsSchema,
  },
  "PUT /me/notifications": {
    summary: "Change that; what is absent stays.",
    right: "session",
    body: changeNotificationsSchema,
    answer: notificationsSchema,
  },
  "POST /unsubscribe/{token}": {
    summary:
      "End all mail of notifications to the user of a link in one of them (RFC 8058). From any origin: the link is the proof.",
    right: "none",
    anyOrigin: true,
    params: byToken,
  },
}));
