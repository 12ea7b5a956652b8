import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { personNameSchema } from "./person-name.ts";

/** Displays: screens on a wall that show boards. docs/PROTOCOL.md, rules D1 to D7. */

const idSchema = z.string().min(1).max(120).refine(isStorable, NOT_STORABLE);
const boardsSchema = z.array(idSchema).max(50);
/** Seconds that a board stays before the next one comes. */
const rotationSchema = z.int().min(5).max(3_600);

/** Hours in which the screen is dimmed to spare it, in the display's own time; over midnight where `from` is later. */
export const dimHoursSchema = z.strictObject({
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
});
export type DimHours = z.infer<typeof dimHoursSchema>;

/**
 * Everything that a display is to do, as a state and not as orders: who hears it late, or twice, does
 * the right thing. `showing`: that board alone; null: all in turn. Times are of the server's clock.
 */
export const displayProgramSchema = z.object({
  id: z.string(),
  name: z.string(),
  boards: z.array(z.string()),
  rotationSeconds: z.int(),
  showing: z.string().nullable(),
  muted: z.boolean(),
  dim: dimHoursSchema.nullable(),
  /** Until then the display shows its name in large letters. */
  identifyUntil: z.string().nullable(),
  /** A page that was loaded earlier loads itself anew. */
  reloadAskedAt: z.string().nullable(),
  /** What the server serves as the player: another than its own makes a page load itself anew. */
  build: z.string(),
  /** The screen calls its figures lost before they were not proven for so many milliseconds; an older server does not say. */
  staleMs: z.int().optional(),
  /** The server's clock. */
  now: z.string(),
});
export type DisplayProgram = z.infer<typeof displayProgramSchema>;

/** `POST /display/report`: how a display is doing. */
export const displayReportSchema = z.strictObject({
  board: z.string().max(120).refine(isStorable, NOT_STORABLE).nullable(),
  /** How old the figures on the screen are, as far as they are proven; null: nothing is shown. */
  lagMs: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  build: z.string().max(400).refine(isStorable, NOT_STORABLE),
  width: z.int().min(0).max(100_000),
  height: z.int().min(0).max(100_000),
  pixelRatio: z.number().min(0).max(20),
  /** Of the page's scripts; null where the browser does not tell. */
  memoryMb: z.number().min(0).max(1_000_000).nullable(),
  /** Since the page was loaded. */
  uptimeSeconds: z.int().min(0),
});
export type DisplayReport = z.infer<typeof displayReportSchema>;

export const displayStatusSchema = z.enum(["pairing", "online", "stale", "offline", "revoked"]);
export type DisplayStatus = z.infer<typeof displayStatusSchema>;

/** A display as the console sees it. */
export const displayInfoSchema = z.object({
  id: z.string(),
  name: z.string(),
  boards: z.array(z.string()),
  rotationSeconds: z.int(),
  showing: z.string().nullable(),
  muted: z.boolean(),
  dim: dimHoursSchema.nullable(),
  status: displayStatusSchema,
  lastSeen: z.string().nullable(),
  /** Whether it runs the player that the server serves now; null before its first report. */
  upToDate: z.boolean().nullable(),
  report: displayReportSchema.nullable(),
  createdAt: z.string(),
});
export type DisplayInfo = z.infer<typeof displayInfoSchema>;

/** The code as a person types it from the wall: spaces, dashes and small letters do not matter. */
export const pairingCodeSchema = z
  .string()
  .max(40)
  .transform((text) => text.toUpperCase().replace(/[^0-9A-Z]/g, ""))
  .pipe(z.string().length(8));

/** `POST /displays`: takes up the screen that shows the code. */
export const claimDisplaySchema = z.strictObject({
  code: pairingCodeSchema,
  name: personNameSchema,
  boards: boardsSchema.min(1),
  rotationSeconds: rotationSchema.optional(),
});
export type ClaimDisplayCall = z.infer<typeof claimDisplaySchema>;

/** `POST /displays/:id/pair`: another screen, or the same one that lost its credential, takes the place. */
export const pairAgainSchema = z.strictObject({ code: pairingCodeSchema });

/** `PATCH /displays/:id`: what is absent stays. */
export const patchDisplaySchema = z.strictObject({
  name: personNameSchema.optional(),
  boards: boardsSchema.min(1).optional(),
  rotationSeconds: rotationSchema.optional(),
  showing: idSchema.nullable().optional(),
  muted: z.boolean().optional(),
  dim: dimHoursSchema.nullable().optional(),
});
export type PatchDisplayCall = z.infer<typeof patchDisplaySchema>;

/** `POST /display/pairing`: what the screen shows. The secret that belongs to it travels as a cookie. */
export const pairingSchema = z.object({ code: z.string(), expires: z.string(), now: z.string() });
export type Pairing = z.infer<typeof pairingSchema>;

/** `GET /display/pairing`: whether somebody has taken the screen up; then the answer brings its credential. */
export const pairingStateSchema = z.object({
  state: z.enum(["waiting", "paired", "expired"]),
  /** Of the code that this browser asked for last: another tab's where it is not the one that is shown. */
  expires: z.string().optional(),
});
export type PairingState = z.infer<typeof pairingStateSchema>;
