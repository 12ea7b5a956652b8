import { z } from "zod";

/** Length is asked here; how easily it is guessed is judged by server/auth/password-rules.ts. */
export const passwordSchema = z.string().min(12).max(1_000);

/** `PUT /me/password`: the present one proves that it is the person and not whoever found the screen. */
export const changePasswordSchema = z.strictObject({
  current: z.string().min(1).max(1_000),
  password: passwordSchema,
});
export type ChangePasswordCall = z.infer<typeof changePasswordSchema>;

/** `POST /users/:id/password-reset` answers the link to hand over; it opens once, until `expires`. */
export const passwordResetLinkSchema = z.object({ link: z.string(), expires: z.string() });
export type PasswordResetLink = z.infer<typeof passwordResetLinkSchema>;

/** `GET /password-resets/:token`: for whom it is. */
export const passwordResetSchema = z.object({ email: z.string(), name: z.string() });
export type PasswordResetInfo = z.infer<typeof passwordResetSchema>;

/** `POST /password-resets/:token` chooses the new password. It signs nobody in. */
export const resetPasswordSchema = z.strictObject({ password: passwordSchema });
