import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { codeSchema } from "./factors.ts";
import { passwordSchema } from "./password.ts";
import { personNameSchema } from "./person-name.ts";
import type { UserInfo } from "./users.ts";

const emailSchema = z
  .string()
  .trim()
  .min(3)
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address")
  .refine(isStorable, NOT_STORABLE);

/** `POST /session`. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: z.string().min(1).max(1_000),
  /** Of the authenticator, or a recovery code; required by `second_factor_required`. */
  code: codeSchema.optional(),
});
export type SignInCall = z.infer<typeof signInSchema>;

/** A user as every signed-in user may see them. */
export type UserProfile = Pick<UserInfo, "id" | "name" | "colour">;

/** `GET /setup` answers `{needed}`; `POST /setup` takes the one-time token of the printed link. */
export const setupSchema = z.strictObject({
  token: z.string().max(200),
  email: emailSchema,
  name: personNameSchema,
  password: passwordSchema,
  template: z.enum(["service-desk", "orders-stock", "empty"]),
  /** The zone of the owner's days and of the template's wallboards; by default the server's own. */
  zone: zoneSchema.optional(),
});
export type SetupCall = z.infer<typeof setupSchema>;

/** `POST /users`. Without a password the answer contains an invitation link. */
export const createUserSchema = z.strictObject({
  email: emailSchema,
  name: personNameSchema,
  role: z.string().min(1).max(120),
  attributes: z.record(z.string().max(120), jsonSchema).optional(),
  password: passwordSchema.optional(),
});
export type CreateUserCall = z.infer<typeof createUserSchema>;

/** `POST /invitations/:token`: the invited user chooses a password, and may correct the name. */
export const acceptInvitationSchema = z.strictObject({
  password: passwordSchema,
  name: personNameSchema.optional(),
});
export type AcceptInvitationCall = z.infer<typeof acceptInvitationSchema>;
