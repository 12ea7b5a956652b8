import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { personNameSchema } from "./person-name.ts";

/** Displays: screens on a wall that show wallboards. docs/PROTOCOL.md, rules D1 to D7. */

const idSchema = z.string().min(1).max(120).refine(isStorable, NOT_STORABLE);
const wallboardsSchema = z.array(idSchema).max(50);
/** Seconds until the next wallboard. */
const rotationSchema = z.int().min(5).max(3_600);

/** Hours in which the screen is dimmed, in the display's own time; over midnight if `from` is later. */
export const dimHoursSchema = z.strictObject({
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
});
export type DimHours = z.infer<typeof dimHoursSchema>;

const displaySchema = z.object({
  id: z.string(),
  name: z.string(),
  boards: z.array(z.string()),
  rotationSeconds: z.int(),
  /** That wallboard alone; null: all in rotation. */
  showing: z.string().nullable(),
  muted: z.boolean(),
  dim: dimHoursSchema.nullable(),
});

/**
 * The program of a display, as a state and not as commands: a late or repeated message does the right thing.
 * Times are of the server's clock.
 */
export const displayProgramSchema = displaySchema.extend({
  /** The display shows its name in large letters until then. */
  identifyUntil: z.string().nullable(),
  /** A page that was loaded earlier reloads itself. */
  reloadAskedAt: z.string().nullable(),
  /** The build of the player that the server serves: a page of another build reloads itself. */
  build: z.string(),
  /**
   * The screen marks its values as lost before they were unconfirmed for this many milliseconds; an older
   * server does not send it.
   */
  staleMs: z.int().optional(),
  /** The server's clock. */
  now: z.string(),
});
export type DisplayProgram = z.infer<typeof displayProgramSchema>;

/** `POST /display/report`: the status of a display. */
export const displayReportSchema = z.strictObject({
  board: z.string().max(120).refine(isStorable, NOT_STORABLE).nullable(),
  /** How old the values on the screen are, as far as they are proven; null: nothing is shown. */
  lagMs: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  build: z.string().max(400).refine(isStorable, NOT_STORABLE),
  width: z.int().min(0).max(100_000),
  height: z.int().min(0).max(100_000),
  pixelRatio: z.number().min(0).max(20),
  /** Of the page's scripts; null if the browser does not report it. */
  memoryMb: z.number().min(0).max(1_000_000).nullable(),
  /** Since the page was loaded. */
  uptimeSeconds: z.int().min(0),
});
export type DisplayReport = z.infer<typeof displayReportSchema>;

export const displayStatusSchema = z.enum(["pairing", "online", "stale", "offline", "revoked"]);
export type DisplayStatus = z.infer<typeof displayStatusSchema>;

/** A display as the console sees it. */
export const displayInfoSchema = displaySchema
  .extend({
    status: displayStatusSchema,
    lastSeen: z.string().nullable(),
    /** Whether it runs the player that the server serves now; null before its first report. */
    upToDate: z.boolean().nullable(),
    report: displayReportSchema.nullable(),
    createdAt: z.string(),
  })
  .meta({ id: "Display" });
export type DisplayInfo = z.infer<typeof displayInfoSchema>;

/** The code as a user types it: spaces, dashes and case do not matter. */
export const pairingCodeSchema = z
  .string()
  .max(40)
  .transform((text) => text.toUpperCase().replace(/[^0-9A-Z]/g, ""))
  .pipe(z.string().length(8));

/** `POST /displays`: pairs the screen that shows the code. */
export const claimDisplaySchema = z.strictObject({
  code: pairingCodeSchema,
  name: personNameSchema,
  boards: wallboardsSchema.min(1),
  rotationSeconds: rotationSchema.optional(),
});
export type ClaimDisplayCall = z.infer<typeof claimDisplaySchema>;

/**
 * `POST /displays/:id/pair`: another screen, or the same one after losing its credential, replaces the
 * screen.
 */
export const pairAgainSchema = z.strictObject({ code: pairingCodeSchema });

/** `PATCH /displays/:id`: absent properties do not change. */
export const patchDisplaySchema = z.strictObject({
  name: personNameSchema.optional(),
  boards: wallboardsSchema.min(1).optional(),
  rotationSeconds: rotationSchema.optional(),
  showing: idSchema.nullable().optional(),
  muted: z.boolean().optional(),
  dim: dimHoursSchema.nullable().optional(),
});
export type PatchDisplayCall = z.infer<typeof patchDisplaySchema>;

/** `POST /display/pairing`: what the screen shows. Its secret travels as a cookie. */
export const pairingSchema = z.object({ code: z.string(), expires: z.string(), now: z.string() });
export type Pairing = z.infer<typeof pairingSchema>;

/** `GET /display/pairing`: whether the screen was paired; then the answer brings its credential. */
export const pairingStateSchema = z.object({
  state: z.enum(["waiting", "paired", "expired"]),
  /** The code that this browser requested last: another tab's if it differs from the one shown. */
  expires: z.string().optional(),
});
export type PairingState = z.infer<typeof pairingStateSchema>;
