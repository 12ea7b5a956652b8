import {
  createRoleSchema,
  patchRoleSchema,
  previewRoleSchema,
  roleInfoSchema,
  rolePreviewSchema,
} from "../protocol/roles.ts";
import { securityEventSchema, securityEventsQuerySchema } from "../protocol/security-events.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** Roles: everybody may read their names, the right `roles` manages them. */
export const roleRoutes = defineRoutes({
  "GET /roles": {
    tokens: true,
    summary: "The roles.",
    right: "session",
    answer: listOf(roleInfoSchema),
  },
  "POST /roles": {
    summary: "Add a role. Nothing granted is nothing allowed; `*` grants on every table not named.",
    right: "roles",
    body: createRoleSchema,
    answer: roleInfoSchema,
    status: 201,
    errors: ["duplicate", "validation_failed"],
  },
  "POST /roles/preview": {
    summary:
      "What a user would see of a table under these grants, as far as the caller may see it.",
    right: "roles",
    body: previewRoleSchema,
    answer: rolePreviewSchema,
    errors: ["not_found", "validation_failed", "query_timeout"],
  },
  "GET /roles/{id}": {
    tokens: true,
    summary: "One role.",
    right: "session",
    params: byId,
    answer: roleInfoSchema,
  },
  "PATCH /roles/{id}": {
    summary:
      "Change a role; what is absent stays, table by table and right by right; `null` takes away. `base` is what the author saw: with it nobody's change is overwritten.",
    right: "roles",
    params: byId,
    body: patchRoleSchema,
    answer: roleInfoSchema,
    errors: ["conflict", "duplicate", "validation_failed"],
  },
  "DELETE /roles/{id}": {
    summary: "Remove a role that nobody has.",
    right: "roles",
    params: byId,
    errors: ["still_linked"],
  },
});

/** Security events about users and rights. */
export const securityEventRoutes = defineRoutes({
  "GET /security-events": {
    tokens: true,
    summary: "Sign-ins, failures, factors, sessions, and changes of users, roles and model.",
    right: "activity",
    query: securityEventsQuerySchema,
    answer: listOf(securityEventSchema),
  },
});
