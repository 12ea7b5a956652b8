import { z } from "zod";
import { passkeyOptionsSchema, passkeySignInSchema } from "../protocol/factors.ts";
import { passwordResetSchema, resetPasswordSchema } from "../protocol/password.ts";
import { acceptInvitationSchema, setupSchema, signInSchema } from "../protocol/session.ts";
import { sessionInfoSchema } from "../protocol/session-info.ts";
import { invitationSchema } from "../protocol/users.ts";
import { byToken, defineRoutes } from "./route.ts";

/** Signing in and out, and the current session. */
export const sessionRoutes = defineRoutes({
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
    summary: "Who am I, and what may I do.",
    right: "session",
    answer: sessionInfoSchema,
  },
  "DELETE /session": { summary: "Sign out.", right: "none" },
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
});

/** The first run and the one-time links: the token of the link is the proof. */
export const entryRoutes = defineRoutes({
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
    summary: "Choose the new password. Ends every session of the user, and signs nobody in.",
    right: "none",
    params: byToken,
    body: resetPasswordSchema,
    errors: ["validation_failed"],
  },
});
