import { z } from "zod";
import {
  addedPasskeySchema,
  addPasskeySchema,
  confirmTotpSchema,
  factorsSchema,
  passkeyOptionsSchema,
  provenSchema,
  recoveryCodesSchema,
  totpSecretSchema,
} from "../protocol/factors.ts";
import { changePasswordSchema } from "../protocol/password.ts";
import { endedSessionsSchema, sessionEntrySchema } from "../protocol/sessions.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** Routes about the signed-in user alone: sessions and password. */
export const meRoutes = defineRoutes({
  "GET /me/sessions": {
    summary: "Where I am signed in.",
    right: "session",
    answer: listOf(sessionEntrySchema),
  },
  "DELETE /me/sessions": {
    summary: "Sign out everywhere but here.",
    right: "session",
    answer: endedSessionsSchema,
  },
  "DELETE /me/sessions/{id}": {
    summary: "End one of my sessions. Its open screens are signed out within a second.",
    right: "session",
    params: byId,
  },
  "PUT /me/password": {
    summary: "Change my password; ends my other sessions.",
    right: "session",
    body: changePasswordSchema,
    errors: ["validation_failed"],
  },
});

/** The user's second factors. Changing them needs the password in the body. */
export const factorRoutes = defineRoutes({
  "GET /me/factors": {
    summary: "My second factors.",
    right: "session",
    answer: factorsSchema,
  },
  "POST /me/totp": {
    summary: "Begin with an authenticator app. It is not asked for until it is confirmed.",
    right: "session",
    body: provenSchema,
    answer: totpSecretSchema,
    errors: ["validation_failed"],
  },
  "PUT /me/totp": {
    summary: "Confirm the authenticator app by its first code.",
    right: "session",
    body: confirmTotpSchema,
    answer: recoveryCodesSchema,
    errors: ["validation_failed"],
  },
  "DELETE /me/totp": {
    summary: "Remove the authenticator app.",
    right: "session",
    body: provenSchema,
    errors: ["not_found", "validation_failed"],
  },
  "POST /me/recovery-codes": {
    summary: "New recovery codes in place of the old ones. They are shown this once.",
    right: "session",
    body: provenSchema,
    answer: recoveryCodesSchema,
    errors: ["validation_failed"],
  },
  "POST /me/passkeys/challenge": {
    summary: "What a browser needs to make a passkey for me.",
    right: "session",
    body: provenSchema,
    answer: passkeyOptionsSchema,
    errors: ["validation_failed"],
  },
  "POST /me/passkeys": {
    summary: "Keep the passkey that the browser made.",
    right: "session",
    body: addPasskeySchema,
    answer: addedPasskeySchema,
    status: 201,
    errors: ["duplicate", "validation_failed"],
  },
  "DELETE /me/passkeys/{id}": {
    summary: "Remove a passkey.",
    right: "session",
    params: z.object({ id: z.string().max(1_400).describe("The id of the passkey.") }),
    body: provenSchema,
    errors: ["validation_failed"],
  },
});
