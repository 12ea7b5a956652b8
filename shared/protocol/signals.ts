import { z } from "zod";

export const displayStatusSchema = z.enum(["pairing", "online", "stale", "offline", "revoked"]);
export type DisplayStatus = z.infer<typeof displayStatusSchema>;

/** Hours in which the screen is dimmed, in the display's own time; over midnight if `from` is later. */
export const dimHoursSchema = z.strictObject({
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
});
export type DimHours = z.infer<typeof dimHoursSchema>;

export const displaySchema = z.object({
  id: z.string(),
  name: z.string(),
  boards: z.array(z.string()),
  rotationSeconds: z.int(),
  /** That wallboard alone; null: all in rotation. */
  showing: z.string().nullable(),
  muted: z.boolean(),
  dim: dimHoursSchema.nullable(),
  /** Where it hangs: the days and times of its wallboards, but of tiles with a zone of their own; null: those of each wallboard. */
  zone: z.string().nullable(),
});

/**
 * Server → client: the program of a display, as a state and not as commands: a late or repeated message does the right thing.
 * Times are of the server's clock.
 */
export const displayProgramSchema = displaySchema.extend({
  /** The display shows its name in large letters until then. */
  identifyUntil: z.string().nullable(),
  /** A page that was loaded earlier reloads itself. */
  reloadAskedAt: z.string().nullable(),
  /** The build of the player that the server serves: a page of another build reloads itself. */
  build: z.string(),
  /** The server's clock. */
  now: z.string(),
});
export type DisplayProgram = z.infer<typeof displayProgramSchema>;

/** Server → client: discard what is held of the table and subscribe again. */
export const resyncSchema = z.object({
  table: z.string(),
  reason: z.enum(["rights", "epoch", "slow"]),
});
export type ResyncMessage = z.infer<typeof resyncSchema>;

/** Server → client: the model has a new version, or my rights under it may have changed: read both again. */
export const modelMessageSchema = z.object({ version: z.int() });
export type ModelMessage = z.infer<typeof modelMessageSchema>;

/** The health of the server itself. `degraded`: the bus or the store is unavailable. */
const healthNoticeSchema = z.looseObject({
  kind: z.literal("health"),
  degraded: z.boolean(),
  reason: z.string().optional(),
});

/** A wallboard was created, changed, published or removed: read it again. `version` is its draft's. */
const wallboardNoticeSchema = z.looseObject({
  kind: z.literal("wallboard"),
  wallboard: z.string(),
  version: z.int(),
  published: z.int().nullable(),
  removed: z.boolean(),
});

/** To users who manage displays: one went offline, or came back. */
const displayNoticeSchema = z.looseObject({
  kind: z.literal("display"),
  display: z.object({
    id: z.string(),
    name: z.string(),
    status: displayStatusSchema,
    lastSeen: z.string().nullable(),
  }),
});
export type DisplayNotice = z.infer<typeof displayNoticeSchema>;

/** To users who may list displays: something changed, also reports. Read them again. */
const displaysNoticeSchema = z.looseObject({ kind: z.literal("displays") });

/** To users who manage webhooks: something changed, also deliveries. Read it again. */
const webhooksNoticeSchema = z.looseObject({ kind: z.literal("webhooks") });

/**
 * Users or roles changed; to users who manage them or read security events also upon such events. Read them
 * again.
 */
const usersNoticeSchema = z.looseObject({ kind: z.literal("people") });

/** My sessions, second factors or API tokens changed: read them again. */
const accountNoticeSchema = z.looseObject({ kind: z.literal("account") });

/** Change sets were created, changed, removed, or have another state; perhaps none that I see. Read them again. */
const changeSetsNoticeSchema = z.looseObject({ kind: z.literal("changeSets") });

/**
 * Views of a table that I may read were created, changed or removed; without a table, of any: read them
 * again.
 */
const viewsNoticeSchema = z.looseObject({ kind: z.literal("views"), table: z.string().optional() });

/**
 * Labels of records of a table may have changed, by a change of one that I may see: read again those that are shown as linked records.
 */
const labelsNoticeSchema = z.looseObject({ kind: z.literal("labels"), table: z.string() });

/** Comments on a record that I can read were written or changed: read them again. */
const commentNoticeSchema = z.looseObject({
  kind: z.literal("comment"),
  table: z.string(),
  record: z.string(),
});

/** Comments that mention me may have changed: read them again. */
const mentionsNoticeSchema = z.looseObject({ kind: z.literal("mentions") });

/** What I am notified of has changed: read it again. */
const inboxNoticeSchema = z.looseObject({ kind: z.literal("inbox") });

/** Server → client: a notice. */
export const noticeSchema = z.discriminatedUnion("kind", [
  healthNoticeSchema,
  wallboardNoticeSchema,
  displayNoticeSchema,
  displaysNoticeSchema,
  webhooksNoticeSchema,
  usersNoticeSchema,
  accountNoticeSchema,
  changeSetsNoticeSchema,
  viewsNoticeSchema,
  labelsNoticeSchema,
  commentNoticeSchema,
  mentionsNoticeSchema,
  inboxNoticeSchema,
]);
export type NoticeMessage = z.infer<typeof noticeSchema>;

/** Server → client: this connection ends; come back after `retryAfter` milliseconds. */
export const goodbyeSchema = z.object({
  reason: z.enum(["restart", "signed_out", "update_required", "revoked"]),
  retryAfter: z.int(),
});
export type GoodbyeMessage = z.infer<typeof goodbyeSchema>;
