import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { personNameSchema } from "./person-name.ts";

/** A user as every signed-in user may see them; the rest only with the right `users`. */
export const userSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    colour: z.string(),
    status: z.enum(["invited", "active", "disabled"]),
    email: z.string().optional(),
    role: z.string().optional(),
    attributes: z.record(z.string(), jsonSchema).optional(),
    lastSeen: z.string().nullable().optional(),
    createdAt: z.string().optional(),
  })
  .meta({ id: "User" });
export type UserInfo = z.infer<typeof userSchema>;

/** `POST /users` answers the user and, without a password, the link to send to them. */
export const createdUserSchema = userSchema.extend({ invitation: z.string().optional() });
export type CreatedUser = z.infer<typeof createdUserSchema>;

/** `PATCH /users/:id`: absent properties do not change; an attribute set to `null` is removed. */
export const patchUserSchema = z.strictObject({
  name: personNameSchema.optional(),
  colour: z
    .string()
    .regex(/^[a-z]{1,20}$/)
    .optional(),
  role: z.string().min(1).max(120).optional(),
  attributes: z.record(z.string().max(120), jsonSchema).optional(),
  status: z.enum(["active", "disabled"]).optional(),
});
export type PatchUserCall = z.infer<typeof patchUserSchema>;

/** `POST /users/:id/invitation` answers another link for a lost one; it works once, until `expires`. */
export const invitationLinkSchema = z.object({ link: z.string(), expires: z.string() });

/** `GET /invitations/:token`: the invited user. */
export const invitationSchema = z.object({ email: z.string(), name: z.string() });
export type InvitationInfo = z.infer<typeof invitationSchema>;
