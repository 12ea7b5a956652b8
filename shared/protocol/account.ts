import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { toNfc } from "../filter/to-nfc.ts";
import { flagParam } from "./query-params.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

export const emailSchema = z
  .string()
  .trim()
  .min(3)
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address")
  .refine(isStorable, NOT_STORABLE);

/** Checks the length only; server/auth/password-rules.ts estimates the guesses. */
export const passwordSchema = z.string().min(12).max(1_000);

/** `PUT /me/password`: the current password proves that the user is not somebody at an unlocked screen. */
const changePasswordSchema = z.strictObject({
  current: z.string().min(1).max(1_000),
  password: passwordSchema,
  /** Also revokes the user's API tokens and pauses their webhooks; by default they stay. */
  revoke: z.boolean().optional(),
});
export type ChangePasswordCall = z.infer<typeof changePasswordSchema>;

/** `POST /users/:id/password-reset` answers the link for the user; it works once, until `expires`. */
export const passwordResetLinkSchema = z.object({
  link: z.string(),
  expires: z.string(),
  /** Whether the link was also mailed to the user. */
  mailed: z.boolean(),
});

/** `GET /password-resets/:token`: the user of the link, and how many API tokens and webhooks the reset revokes or pauses. */
export const passwordResetSchema = z.object({
  email: z.string(),
  name: z.string(),
  tokens: z.int(),
  webhooks: z.int(),
});
export type PasswordResetInfo = z.infer<typeof passwordResetSchema>;

/**
 * `POST /password-resets/:token` sets the new password. It signs nobody in. Whoever needs it may not have been the last to use the
 * account: what was made with it, API tokens and webhooks, is revoked or paused unless `revoke` is false.
 */
export const resetPasswordSchema = z.strictObject({
  password: passwordSchema,
  revoke: z.boolean().optional(),
});
export type ResetPasswordCall = z.infer<typeof resetPasswordSchema>;

/** The second factors of a user: an authenticator app, passkeys, and recovery codes. */

/** Changing a factor asks for the password again: an open screen does not prove who uses it. */
const provenSchema = z.strictObject({ password: z.string().min(1).max(1_000) });

/**
 * The password may be left out by users who have none, because they sign in by a provider, and by those who have just signed in and must
 * add a factor first.
 */
const provenForFactorSchema = provenSchema.partial();

const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsed: z.string().nullable(),
});
export type PasskeyInfo = z.infer<typeof passkeySchema>;

/** `GET /me/factors`. */
export const factorsSchema = z.object({
  totp: z.boolean(),
  /** Whether the user has a password; one who signs in by a provider has none. */
  password: z.boolean(),
  /** How many recovery codes are left. */
  recoveryCodes: z.number(),
  passkeys: z.array(passkeySchema),
});
export type Factors = z.infer<typeof factorsSchema>;

/** `POST /me/totp`: the secret for the authenticator app, by hand or by the QR code of `uri`. */
const totpSecretSchema = z.object({ secret: z.string(), uri: z.string() });
export type TotpSecret = z.infer<typeof totpSecretSchema>;

/** A code of the authenticator, or one of the recovery codes, in any notation. */
export const codeSchema = z.string().trim().min(1).max(64);

/** `PUT /me/totp`: the first code proves that the app has the secret. */
const confirmTotpSchema = z.strictObject({ code: codeSchema });

/** Codes that are shown this once; null if the user has some already. */
const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()).nullable() });
/** WebAuthn's JSON, made and read by browsers. The library validates its contents. */
export const passkeyOptionsSchema = z.looseObject({ challenge: z.string() });
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;

const passkeyResponseSchema = z.looseObject({
  id: z.string().min(1).max(1_400),
  rawId: z.string().max(1_400),
  type: z.literal("public-key"),
  response: z.looseObject({ clientDataJSON: z.string().max(10_000) }),
  clientExtensionResults: z.looseObject({}),
});
export type PasskeyResponse = z.infer<typeof passkeyResponseSchema>;

/** `POST /me/passkeys`. */
const addPasskeySchema = z.strictObject({
  name: z.string().trim().overwrite(toNfc).min(1).max(60).refine(isStorable, NOT_STORABLE),
  response: passkeyResponseSchema,
});
export type AddPasskeyCall = z.infer<typeof addPasskeySchema>;

const addedPasskeySchema = passkeySchema.extend({
  recoveryCodes: z.array(z.string()).nullable(),
});
export type AddedPasskey = z.infer<typeof addedPasskeySchema>;

/** `POST /session/passkey`: signs in by a passkey alone. */
export const passkeySignInSchema = z.strictObject({ response: passkeyResponseSchema });

/** A session as its own user, or a user who manages users, sees it. The token is never returned. */
export const sessionEntrySchema = z.object({
  /** An id for ending it; not a credential. */
  id: z.string(),
  createdAt: z.string(),
  lastSeen: z.string(),
  /** When it expires, by idle time or by age. */
  expires: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  /** Whether it is the current one. */
  current: z.boolean(),
});
export type SessionEntry = z.infer<typeof sessionEntrySchema>;

/** API tokens that were revoked and webhooks that were paused, because somebody else could have made them with the account. */
export const endedAccessSchema = z.object({ tokens: z.int(), webhooks: z.int() });

/** How many sessions were ended, and with `revoke`, what else was. */
export const endedSessionsSchema = endedAccessSchema.extend({ ended: z.int() });

/** `DELETE` of all sessions: by default, what was made with the account stays. */
export const endSessionsQuerySchema = z.strictObject({
  revoke: flagParam
    .optional()
    .describe("Also revokes the user's API tokens and pauses their webhooks."),
});

/** Routes about the signed-in user alone: sessions and password. */
export const meRoutes = defineRoutes(() => ({
  "GET /me/sessions": {
    summary: "Where I am signed in.",
    right: "session",
    answer: listOf(sessionEntrySchema),
  },
  "DELETE /me/sessions": {
    summary: "Sign out everywhere but here.",
    right: "session",
    query: endSessionsQuerySchema,
    answer: endedSessionsSchema,
  },
  "DELETE /me/sessions/{id}": {
    summary: "End one of my sessions. Its open screens are signed out within a second.",
    right: "session",
    params: byId,
  },
  "PUT /me/password": {
    summary:
      "Change my password; ends my other sessions and, with `revoke`, my API tokens, and pauses my webhooks.",
    right: "session",
    body: changePasswordSchema,
    errors: ["validation_failed"],
  },
}));

/** The user's second factors. Changing them needs the password in the body. */
export const factorRoutes = defineRoutes(() => ({
  "GET /me/factors": {
    withoutFactor: true,
    summary: "My second factors.",
    right: "session",
    answer: factorsSchema,
  },
  "POST /me/totp": {
    withoutFactor: true,
    summary: "Begin with an authenticator app. It is not asked for until it is confirmed.",
    right: "session",
    body: provenForFactorSchema,
    answer: totpSecretSchema,
    errors: ["authentication_too_old", "validation_failed"],
  },
  "PUT /me/totp": {
    withoutFactor: true,
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
    withoutFactor: true,
    summary: "What a browser needs to make a passkey for me.",
    right: "session",
    body: provenForFactorSchema,
    answer: passkeyOptionsSchema,
    errors: ["authentication_too_old", "validation_failed"],
  },
  "POST /me/passkeys": {
    withoutFactor: true,
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
    body: provenForFactorSchema,
    errors: ["authentication_too_old", "validation_failed"],
  },
}));
