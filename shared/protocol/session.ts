import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { clientLimitNames } from "../limits.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { abilitiesSchema } from "../policy/abilities-schema.ts";
import {
  codeSchema,
  emailSchema,
  passkeyOptionsSchema,
  passkeySignInSchema,
  passwordResetSchema,
  passwordSchema,
  resetPasswordSchema,
} from "./account.ts";
import { personNameSchema } from "./person-name.ts";
import { byToken, defineRoutes } from "./route.ts";
import { invitationSchema } from "./users.ts";

/** `POST /session`. */
const signInSchema = z.strictObject({
  email: emailSchema,
  password: z.string().min(1).max(1_000),
  /** Of the authenticator, or a recovery code; required by `second_factor_required`. */
  code: codeSchema.optional(),
});
export type SignInCall = z.infer<typeof signInSchema>;

/** `POST /session/proof`: who is signed in proves it again. */
const proofSchema = z.union([
  z.strictObject({ password: z.string().min(1).max(1_000) }),
  passkeySignInSchema,
]);
export type ProofCall = z.infer<typeof proofSchema>;

/** `POST /session/factor`: a code of the authenticator or a recovery code, or a passkey. */
const factorSchema = z.union([z.strictObject({ code: codeSchema }), passkeySignInSchema]);
export type FactorCall = z.infer<typeof factorSchema>;

/** The templates that have tables, with sample records. */
export const exampleNames = ["service-desk", "orders-stock"] as const;
export type ExampleName = (typeof exampleNames)[number];

/** `GET /setup` answers `{needed}`; `POST /setup` takes the one-time token of the printed link. */
const setupSchema = z.strictObject({
  token: z.string().max(200),
  email: emailSchema,
  name: personNameSchema,
  password: passwordSchema,
  template: z.enum([...exampleNames, "empty"]),
  /** The zone of the installation's days, and of the template's wallboards; these have the server's own by default. */
  zone: zoneSchema.optional(),
});
export type SetupCall = z.infer<typeof setupSchema>;

/** `POST /invitations/:token`: the invited user chooses a password, and may correct the name. */
const acceptInvitationSchema = z.strictObject({
  password: passwordSchema,
  name: personNameSchema.optional(),
});
export type AcceptInvitationCall = z.infer<typeof acceptInvitationSchema>;

/** `GET /session`, and the answer to every sign-in: the user and their abilities. */
const sessionInfoSchema = z
  .object({
    user: z.object({
      id: z.string(),
      name: z.string(),
      colour: z.string(),
      email: z.string(),
      role: z.string(),
      /** The name of the role. */
      roleName: z.string(),
      attributes: z.record(z.string(), jsonSchema),
    }),
    /** The API token that calls, if it is one; `user` is its creator, with the role of the token. */
    token: z.object({ id: z.string(), name: z.string() }).exactOptional(),
    /** The provider of company accounts by which the session began. */
    provider: z
      .object({
        id: z.string(),
        name: z.string(),
        /** Whether it can be asked anew who its user is; if not, they prove it by a passkey. */
        confirms: z.boolean(),
      })
      .exactOptional(),
    /** The role requires a second factor, which this session has not shown: it may only show one, or add the first. */
    lacksFactor: z.literal(true).exactOptional(),
    abilities: abilitiesSchema,
    /** The server's limits, so that the client stays within them. */
    limits: z.record(z.enum(clientLimitNames), z.int()),
    /** The language in whose order the server sorts texts; null: by code points. */
    textOrder: z.string().nullable(),
    expires: z.string(),
  })
  .meta({ id: "SessionInfo" });
export type SessionInfo = z.infer<typeof sessionInfoSchema>;

/** Signing in and out, and the current session. */
export const sessionRoutes = defineRoutes(() => ({
  "POST /session": {
    summary: "Sign in. Opens a session in the browser's cookie.",
    right: "none",
    body: signInSchema.meta({
      examples: [{ email: "alex@example.com", password: "correct horse battery" }],
    }),
    answer: sessionInfoSchema,
    errors: ["unauthenticated", "session_ended", "second_factor_required", "second_factor_wrong"],
  },
  "GET /session": {
    tokens: true,
    withoutFactor: true,
    summary: "Who am I, and what may I do.",
    right: "session",
    answer: sessionInfoSchema,
  },
  "DELETE /session": { summary: "Sign out.", right: "none" },
  "POST /session/factor": {
    withoutFactor: true,
    summary:
      "Complete a sign-in that lacks the second factor which the role requires. A user without any adds one by `/me/totp` or `/me/passkeys`, which completes it, too.",
    right: "session",
    body: factorSchema,
    errors: ["second_factor_wrong", "session_ended"],
  },
  "POST /session/proof": {
    withoutFactor: true,
    summary:
      "Prove again who you are, by the password or by a passkey that answers `POST /session/passkey-challenge`. For five minutes then, as after signing in, calls are allowed that make what outlives the session; others answer `authentication_too_old`.",
    right: "session",
    body: proofSchema,
    errors: ["validation_failed"],
  },
  "POST /session/passkey-challenge": {
    summary: "What a browser needs to ask for a passkey. The same for everybody.",
    right: "none",
    answer: passkeyOptionsSchema,
  },
  "POST /session/passkey": {
    summary: "Sign in by a passkey. Opens a session in the browser's cookie.",
    right: "none",
    body: passkeySignInSchema,
    answer: sessionInfoSchema,
    errors: ["unauthenticated", "session_ended"],
  },
}));

/** The first run and the one-time links: the token of the link is the proof. */
export const entryRoutes = defineRoutes(() => ({
  "GET /sign-in/{token}": {
    summary: "Follow a one-time sign-in link.",
    right: "none",
    params: byToken,
    status: 303,
  },
  "GET /setup": {
    summary: "Whether the first owner is still to be created.",
    right: "none",
    answer: z.object({ needed: z.boolean() }),
  },
  "POST /setup": {
    summary: "Create the owner by the printed one-time link, choose a template, and sign in.",
    right: "none",
    body: setupSchema,
    answer: sessionInfoSchema,
    status: 201,
    errors: ["session_ended", "validation_failed"],
  },
  "GET /invitations/{token}": {
    summary: "For whom an invitation is.",
    right: "none",
    params: byToken,
    answer: invitationSchema,
  },
  "POST /invitations/{token}": {
    summary: "Accept an invitation: choose a password, and be signed in.",
    right: "none",
    params: byToken,
    body: acceptInvitationSchema,
    answer: sessionInfoSchema,
    errors: ["unauthenticated", "session_ended", "validation_failed"],
  },
  "GET /password-resets/{token}": {
    summary: "For whom a link to reset a password is.",
    right: "none",
    params: byToken,
    answer: passwordResetSchema,
  },
  "POST /password-resets/{token}": {
    summary:
      "Choose the new password. Ends every session of the user, revokes their API tokens and pauses their webhooks unless `revoke` is false, and signs nobody in.",
    right: "none",
    params: byToken,
    body: resetPasswordSchema,
    errors: ["validation_failed"],
  },
}));
