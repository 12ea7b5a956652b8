import { z } from "zod";

/** Checks the length only; server/auth/password-rules.ts estimates the guesses. */
export const passwordSchema = z.string().min(12).max(1_000);

/** `PUT /me/password`: the current password proves that the user is not somebody at an unlocked screen. */
export const changePasswordSchema = z.strictObject({
  current: z.string().min(1).max(1_000),
  password: passwordSchema,
});
export type ChangePasswordCall = z.infer<typeof changePasswordSchema>;

/** `POST /users/:id/password-reset` answers the link for the user; it works once, until `expires`. */
export const passwordResetLinkSchema = z.object({ link: z.string(), expires: z.string() });

/** `GET /password-resets/:token`: the user of the link. */
export const passwordResetSchema = z.object({ email: z.string(), name: z.string() });
export type PasswordResetInfo = z.infer<typeof passwordResetSchema>;

/** `POST /password-resets/:token` sets the new password. It signs nobody in. */
export const resetPasswordSchema = z.strictObject({ password: passwordSchema });
