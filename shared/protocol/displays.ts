import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { personNameSchema } from "./person-name.ts";
import { byId, defineRoutes, listOf } from "./route.ts";
import {
  dimHoursSchema,
  displayProgramSchema,
  displaySchema,
  displayStatusSchema,
} from "./signals.ts";

/** Displays: screens on a wall that show wallboards. docs/PROTOCOL.md, rules D1 to D7. Their message is in signals.ts. */

const idSchema = z.string().min(1).max(120).refine(isStorable, NOT_STORABLE);
const wallboardsSchema = z.array(idSchema).max(50);
/** Seconds until the next wallboard. */
const rotationSchema = z.int().min(5).max(3_600);

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

/** A display as the console sees it. */
export const displayInfoSchema = displaySchema
  .extend({
    status: displayStatusSchema,
    /** Who paired it or took it over, and by whose role's rights it shows its wallboards; null of one that nobody has paired. */
    owner: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
    /** Its owner is disabled or removed: somebody should take it over. It goes on until then. */
    ownerLeft: z.boolean(),
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
  zone: zoneSchema.nullable().optional(),
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

const order = { right: "displays", params: byId, answer: displayInfoSchema } as const;
const readers = ["displays", "wallboards"] as const;

/** Displays as records. The right `displays` manages them; users who design wallboards see them. */
export const displayRecordRoutes = defineRoutes(() => ({
  "GET /displays": {
    tokens: true,
    summary: "The displays, and how each is doing.",
    right: readers,
    answer: listOf(displayInfoSchema),
  },
  "POST /displays": {
    needsProof: true,
    summary: "Take up the screen that shows this code, as a display that shows these wallboards.",
    right: "displays",
    body: claimDisplaySchema,
    answer: displayInfoSchema,
    status: 201,
    errors: ["not_found"],
  },
  "GET /displays/{id}": {
    tokens: true,
    summary: "One display.",
    right: readers,
    params: byId,
    answer: displayInfoSchema,
  },
  "PATCH /displays/{id}": {
    tokens: true,
    summary: "Change a display, which follows at once; what is absent stays.",
    right: "displays",
    params: byId,
    body: patchDisplaySchema,
    answer: displayInfoSchema,
  },
  "DELETE /displays/{id}": { summary: "Remove a display.", right: "displays", params: byId },
  "POST /displays/{id}/identify": {
    tokens: true,
    ...order,
    summary: "Ask a display to show its name for a moment.",
  },
  "POST /displays/{id}/reload": { tokens: true, ...order, summary: "Reload a display." },
  "POST /displays/{id}/take-over": {
    ...order,
    needsProof: true,
    summary:
      "Become the owner of a display, which shows its wallboards by one's own role's rights from now on.",
  },
  "POST /displays/{id}/revoke": {
    ...order,
    summary: "End a display's credential: it shows nothing from now on.",
  },
  "POST /displays/{id}/pair": {
    needsProof: true,
    ...order,
    summary: "Let the screen that shows this code take the display's place.",
    body: pairAgainSchema,
  },
}));

/** The paths of the display itself. A display's credential opens no others. */
export const displayRoutes = defineRoutes(() => ({
  "POST /display/pairing": {
    summary: "A code for a screen to show until somebody takes it up.",
    right: "none",
    answer: pairingSchema,
    status: 201,
  },
  "GET /display/pairing": {
    summary: "Whether somebody has taken this screen up; then the answer brings its credential.",
    right: "none",
    answer: pairingStateSchema,
  },
  "GET /display/open/{link}": {
    summary: "Make this browser the screen of a display by a one-time link.",
    right: "none",
    params: z.object({ link: z.string().max(200).describe("The token of the link.") }),
    status: 303,
  },
  "GET /display": {
    summary: "For a display: what it is to show.",
    right: "display",
    answer: displayProgramSchema,
  },
  "POST /display/report": {
    summary: "For a display: how it is doing; the answer says what it is to show.",
    right: "display",
    body: displayReportSchema,
    answer: displayProgramSchema,
  },
}));
