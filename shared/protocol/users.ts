import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import {
  emailSchema,
  endedAccessSchema,
  endedSessionsSchema,
  endSessionsQuerySchema,
  factorsSchema,
  passwordResetLinkSchema,
  passwordSchema,
  sessionEntrySchema,
} from "./account.ts";
import { personNameSchema } from "./person-name.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** A user as every signed-in user may see them; the rest only with the right `users`. */
const userSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    colour: z.string(),
    status: z.enum(["invited", "active", "disabled"]),
    email: z.string().optional(),
    role: z.string().optional(),
    /** The provider whose groups give the role, which can't be changed by hand then. */
    roleProvider: z.string().nullable().optional(),
    attributes: z.record(z.string(), jsonSchema).optional(),
    lastSeen: z.string().nullable().optional(),
    createdAt: z.string().optional(),
  })
  .meta({ id: "User" });
export type UserInfo = z.infer<typeof userSchema>;

/** `POST /users` answers the user and, without a password, the link to send to them. */
const createdUserSchema = userSchema.extend({
  invitation: z.string().optional(),
  /** Whether the link was also mailed to them. */
  mailed: z.boolean().optional(),
});
export type CreatedUser = z.infer<typeof createdUserSchema>;

/** `PATCH /users/:id`: absent properties do not change; an attribute set to `null` is removed. */
const patchUserSchema = z.strictObject({
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

/**
 * `PATCH /users/:id` answers the user. Disabling revokes their API tokens and pauses their webhooks for good, and says how many;
 * enabling says how many of those stay so.
 */
const changedUserSchema = userSchema.extend({ ended: endedAccessSchema.optional() });
export type ChangedUser = z.infer<typeof changedUserSchema>;

/** `POST /users/:id/invitation` answers another link for a lost one; it works once, until `expires`. */
const invitationLinkSchema = passwordResetLinkSchema;

/** `GET /invitations/:token`: the invited user. */
export const invitationSchema = z.object({ email: z.string(), name: z.string() });
export type InvitationInfo = z.infer<typeof invitationSchema>;

/** A user as every signed-in user may see them. */
export type UserProfile = Pick<UserInfo, "id" | "name" | "colour">;

/** `POST /users`. Without a password the answer contains an invitation link. */
const createUserSchema = z.strictObject({
  email: emailSchema,
  name: personNameSchema,
  role: z.string().min(1).max(120),
  attributes: z.record(z.string().max(120), jsonSchema).optional(),
  password: passwordSchema.optional(),
});
export type CreateUserCall = z.infer<typeof createUserSchema>;

/** Users: everybody may list them, the right `users` manages them. Users change their own name and colour. */
export const userRoutes = defineRoutes(() => ({
  "GET /users": {
    tokens: true,
    summary: "Everybody.",
    right: "session",
    answer: listOf(userSchema),
  },
  "POST /users": {
    summary: "Add a user; without a password the answer holds an invitation link.",
    right: "users",
    body: createUserSchema,
    answer: createdUserSchema,
    status: 201,
    errors: ["duplicate", "validation_failed"],
  },
  "GET /users/{id}": {
    tokens: true,
    summary: "One user.",
    right: "session",
    params: byId,
    answer: userSchema,
  },
  "PATCH /users/{id}": {
    summary: "Change a user; what is absent stays.",
    right: "session",
    params: byId,
    body: patchUserSchema,
    answer: changedUserSchema,
    errors: ["validation_failed"],
  },
  "DELETE /users/{id}": {
    summary: "Remove a user.",
    right: "users",
    params: byId,
    errors: ["validation_failed"],
  },
}));

/** Access of another user: their sessions, factors and one-time links. */
export const userAccessRoutes = defineRoutes(() => ({
  "GET /users/{id}/sessions": {
    summary: "Where somebody is signed in.",
    right: "users",
    params: byId,
    answer: listOf(sessionEntrySchema),
  },
  "DELETE /users/{id}/sessions": {
    summary: "Sign somebody out everywhere.",
    right: "users",
    params: byId,
    query: endSessionsQuerySchema,
    answer: endedSessionsSchema,
  },
  "DELETE /users/{id}/sessions/{session}": {
    summary: "End one session of somebody.",
    right: "users",
    params: byId.extend({ session: z.string().max(120).describe("The id of the session.") }),
  },
  "GET /users/{id}/factors": {
    summary: "The second factors of somebody.",
    right: "users",
    params: byId,
    answer: factorsSchema,
  },
  "DELETE /users/{id}/factors": {
    summary: "Take away all second factors of somebody who lost them; ends their sessions.",
    right: "users",
    params: byId,
    errors: ["validation_failed"],
  },
  "POST /users/{id}/invitation": {
    summary: "Make another invitation for somebody who lost theirs. It opens once.",
    right: "users",
    params: byId,
    answer: invitationLinkSchema,
    status: 201,
    errors: ["validation_failed"],
  },
  "POST /users/{id}/password-reset": {
    summary: "Make a link by which somebody chooses a new password. It opens once.",
    right: "users",
    params: byId,
    answer: passwordResetLinkSchema,
    status: 201,
    errors: ["validation_failed"],
  },
}));
