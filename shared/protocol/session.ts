import { z } from "zod";
import type { Json } from "../filter/filter.ts";
import { isLegible, isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import type { Abilities } from "../policy/abilities.ts";
import { codeSchema } from "./factors.ts";

const emailSchema = z
  .string()
  .trim()
  .min(3)
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address")
  .refine(isStorable, NOT_STORABLE);

export const personNameSchema = z
  .string()
  .trim()
  .normalize("NFC")
  .min(1)
  .max(120)
  .refine(isStorable, NOT_STORABLE)
  .refine(isLegible, "must be a name that can be read");

/** Length is asked here; how easily it is guessed is judged by server/auth/password-rules.ts. */
export const passwordSchema = z.string().min(12).max(1_000);

/** `POST /session`. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: z.string().min(1).max(1_000),
  /** Of the authenticator, or a recovery code; asked for by `second_factor_required`. */
  code: codeSchema.optional(),
});
export type SignInCall = z.infer<typeof signInSchema>;

/** A person as everybody who is signed in may know them. */
export interface Person {
  id: string;
  name: string;
  colour: string;
}

/** `GET /session`: who am I, and what may I do. */
export interface SessionInfo {
  user: Person & {
    email: string;
    role: string;
    /** What people call the role. */
    roleName: string;
    attributes: Record<string, Json>;
  };
  abilities: Abilities;
  expires: string;
}

/** `GET /setup` answers `{needed}`; `POST /setup` takes the one-time token of the printed link. */
export const setupSchema = z.strictObject({
  token: z.string().max(200),
  email: emailSchema,
  name: personNameSchema,
  password: passwordSchema,
  template: z.enum(["service-desk", "orders-stock", "empty"]),
  /** Where the owner's days begin, and those of the template's wallboards; the server's own unless told. */
  zone: zoneSchema.optional(),
});
export type SetupCall = z.infer<typeof setupSchema>;

/** `POST /users`. Without a password the answer holds an invitation link. */
export const createUserSchema = z.strictObject({
  email: emailSchema,
  name: personNameSchema,
  role: z.string().min(1).max(120),
  attributes: z.record(z.string().max(120), z.json()).optional(),
  password: passwordSchema.optional(),
});
export type CreateUserCall = z.infer<typeof createUserSchema>;

/** `POST /invitations/:token`: the invited person chooses a password, and may correct the name. */
export const acceptInvitationSchema = z.strictObject({
  password: passwordSchema,
  name: personNameSchema.optional(),
});
export type AcceptInvitationCall = z.infer<typeof acceptInvitationSchema>;
