import { z } from "zod";
import {
  claimDisplaySchema,
  displayInfoSchema,
  displayProgramSchema,
  displayReportSchema,
  pairAgainSchema,
  pairingSchema,
  pairingStateSchema,
  patchDisplaySchema,
} from "../protocol/displays.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

const order = { right: "displays", params: byId, answer: displayInfoSchema } as const;
const readers = ["displays", "wallboards"] as const;

/** Displays as records. The right `displays` manages them; users who design wallboards see them. */
export const displayRecordRoutes = defineRoutes({
  "GET /displays": {
    tokens: true,
    summary: "The displays, and how each is doing.",
    right: readers,
    answer: listOf(displayInfoSchema),
  },
  "POST /displays": {
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
  "POST /displays/{id}/revoke": {
    ...order,
    summary: "End a display's credential: it shows nothing from now on.",
  },
  "POST /displays/{id}/pair": {
    ...order,
    summary: "Let the screen that shows this code take the display's place.",
    body: pairAgainSchema,
  },
});

/** The paths of the display itself. A display's credential opens no others. */
export const displayRoutes = defineRoutes({
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
});
