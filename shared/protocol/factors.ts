import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { toNfc } from "../filter/to-nfc.ts";

/** The second factors of a user: an authenticator app, passkeys, and recovery codes. */

/** Changing a factor asks for the password again: an open screen does not prove who uses it. */
export const provenSchema = z.strictObject({ password: z.string().min(1).max(1_000) });

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
  /** How many recovery codes are left. */
  recoveryCodes: z.number(),
  passkeys: z.array(passkeySchema),
});
export type Factors = z.infer<typeof factorsSchema>;

/** `POST /me/totp`: the secret for the authenticator app, by hand or by the QR code of `uri`. */
export const totpSecretSchema = z.object({ secret: z.string(), uri: z.string() });
export type TotpSecret = z.infer<typeof totpSecretSchema>;

/** A code of the authenticator, or one of the recovery codes, in any notation. */
export const codeSchema = z.string().trim().min(1).max(64);

/** `PUT /me/totp`: the first code proves that the app has the secret. */
export const confirmTotpSchema = z.strictObject({ code: codeSchema });

/** Codes that are shown this once; null if the user has some already. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()).nullable() });
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
export const addPasskeySchema = z.strictObject({
  name: z.string().trim().overwrite(toNfc).min(1).max(60).refine(isStorable, NOT_STORABLE),
  response: passkeyResponseSchema,
});
export type AddPasskeyCall = z.infer<typeof addPasskeySchema>;

export const addedPasskeySchema = passkeySchema.extend({
  recoveryCodes: z.array(z.string()).nullable(),
});
export type AddedPasskey = z.infer<typeof addedPasskeySchema>;

/** `POST /session/passkey`: signs in by a passkey alone. */
export const passkeySignInSchema = z.strictObject({ response: passkeyResponseSchema });
