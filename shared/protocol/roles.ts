import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { grantSchema, grantsSchema, rightsSchema, roleNameSchema } from "../policy/role-schema.ts";
import { nameSchema, recordIdSchema, recordSchema } from "./record.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** A role as users see it: its grants are sent only to users who may manage roles. */
const roleInfoSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    builtIn: z.boolean(),
    rights: rightsSchema.optional(),
    grants: grantsSchema.optional(),
    /** How many users have it. */
    users: z.int().optional(),
  })
  .meta({ id: "Role" });
export type RoleInfo = z.infer<typeof roleInfoSchema>;

/** `POST /roles`. Nothing granted is nothing allowed. */
const createRoleSchema = z.strictObject({
  name: roleNameSchema,
  rights: rightsSchema.default([]),
  grants: grantsSchema.default({}),
});
export type CreateRoleCall = z.infer<typeof createRoleSchema>;

const grantPatchSchema = z.record(z.string().min(1).max(120), jsonSchema);

/** What the author of a change saw: `null` for a table without a grant of its own. */
const roleBaseSchema = z.strictObject({
  name: roleNameSchema.optional(),
  rights: rightsSchema.optional(),
  grants: z.record(z.string().min(1).max(120), grantSchema.nullable()).optional(),
});

/**
 * `PATCH /roles/:id`: absent parts do not change, table by table and right by right within a table; `null`
 * removes a right or a whole table, and an empty `grants` or grant empties it. With a `base`, others' changes
 * are preserved too, and the same part changed by both is a `conflict`.
 */
const patchRoleSchema = z.strictObject({
  name: roleNameSchema.optional(),
  rights: rightsSchema.optional(),
  grants: z.record(z.string().min(1).max(120), grantPatchSchema.nullable()).optional(),
  base: roleBaseSchema.optional(),
});
export type PatchRoleCall = z.infer<typeof patchRoleSchema>;

/** Most records of a table in a preview. */
const PREVIEW_MAX_RECORDS = 50;

/**
 * `POST /roles/preview`: what a user with these attributes would see of a table under these grants, which are
 * not stored.
 */
const previewRoleSchema = z.strictObject({
  table: nameSchema,
  grants: grantsSchema,
  /** The user that `$me` means; none if absent. */
  user: recordIdSchema.optional(),
  attributes: z.record(z.string().max(120), jsonSchema).default({}),
  limit: z.int().min(0).max(PREVIEW_MAX_RECORDS).default(10),
});
export type PreviewRoleCall = z.infer<typeof previewRoleSchema>;

/**
 * What they would see, as far as the caller may see it too: only records and fields within the caller's own
 * scope are counted and returned.
 */
const rolePreviewSchema = z.object({
  /** Whether the table could be read at all. */
  readable: z.boolean(),
  fields: z.array(z.string()),
  total: z.int(),
  totalExact: z.boolean(),
  /** The records within the caller's own scope. */
  outOf: z.int(),
  outOfExact: z.boolean(),
  records: z.array(recordSchema.pick({ id: true, values: true })),
});
export type RolePreview = z.infer<typeof rolePreviewSchema>;

/** Roles: everybody may read their names, the right `roles` manages them. */
export const roleRoutes = defineRoutes(() => ({
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
}));
