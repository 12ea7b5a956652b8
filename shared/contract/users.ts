import { z } from "zod";
import { factorsSchema } from "../protocol/factors.ts";
import { passwordResetLinkSchema } from "../protocol/password.ts";
import { createUserSchema } from "../protocol/session.ts";
import { endedSessionsSchema, sessionEntrySchema } from "../protocol/sessions.ts";
import {
  createdUserSchema,
  invitationLinkSchema,
  patchUserSchema,
  userSchema,
} from "../protocol/users.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** Users: everybody may list them, the right `users` manages them. Users change their own name and colour. */
export const userRoutes = defineRoutes({
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
    answer: userSchema,
    errors: ["validation_failed"],
  },
  "DELETE /users/{id}": {
    summary: "Remove a user.",
    right: "users",
    params: byId,
    errors: ["validation_failed"],
  },
});

/** Access of another user: their sessions, factors and one-time links. */
export const userAccessRoutes = defineRoutes({
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
});
