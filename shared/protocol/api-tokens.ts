import { z } from "zod";
import { personNameSchema } from "./person-name.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** An API token as its creator, or a user with the right `tokens`, sees it. */
const apiTokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The first characters of the token, to recognise it by. */
    prefix: z.string(),
    /** Its rights are never more than this user's. The name is null if the user was removed. */
    creator: z.object({ id: z.string(), name: z.string().nullable() }),
    /** The id of its own role; null if it has its creator's. */
    role: z.string().nullable(),
    roleName: z.string().nullable(),
    /**
     * `suspended`: its creator is disabled. `paused`: its creator signs in with a company account, and has not for 30 days; it goes on
     * when they do.
     */
    state: z.enum(["active", "expired", "suspended", "paused"]),
    createdAt: z.string(),
    /** Null if it does not expire. */
    expiresAt: z.string().nullable(),
    /** At most a minute old while it is in use. */
    lastUsed: z.string().nullable(),
  })
  .meta({ id: "ApiToken" });
export type ApiTokenInfo = z.infer<typeof apiTokenSchema>;

/** How long a token is valid that says nothing else. */
export const TOKEN_DEFAULT_DAYS = 90;

/** `POST /tokens`: without a role it has its creator's; it expires after 90 days, or never with `expiresAt: null`. */
const createApiTokenSchema = z.strictObject({
  name: personNameSchema,
  role: z.string().min(1).max(120).optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullable().optional(),
});
export type CreateApiTokenCall = z.infer<typeof createApiTokenSchema>;

/** The only answer that holds the token itself. */
const createdApiTokenSchema = apiTokenSchema.extend({ token: z.string() });
export type CreatedApiToken = z.infer<typeof createdApiTokenSchema>;

/** `PATCH /tokens/:id`: rights and expiry can't change; create another token instead. */
const patchApiTokenSchema = z.strictObject({ name: personNameSchema });

/** API tokens: everybody has their own; the right `tokens` sees, renames and revokes those of others. */
export const apiTokenRoutes = defineRoutes(() => ({
  "GET /tokens": {
    summary: "One's own API tokens; with the right `tokens` those of everybody.",
    right: "session",
    answer: listOf(apiTokenSchema),
  },
  "POST /tokens": {
    needsProof: true,
    summary:
      "Create an API token. Its rights are those of its role, or of its creator without one, and never more than its creator has at the time of a call. It expires after 90 days unless `expiresAt` says otherwise; `null`: never. The answer shows the token this once.",
    right: "session",
    body: createApiTokenSchema.meta({ examples: [{ name: "Nightly sync" }] }),
    answer: createdApiTokenSchema,
    status: 201,
    errors: ["validation_failed"],
  },
  "GET /tokens/{id}": {
    summary: "One API token.",
    right: "session",
    params: byId,
    answer: apiTokenSchema,
  },
  "PATCH /tokens/{id}": {
    summary: "Rename an API token, also in the changes that it has made.",
    right: "session",
    params: byId,
    body: patchApiTokenSchema,
    answer: apiTokenSchema,
  },
  "DELETE /tokens/{id}": {
    summary: "Revoke an API token. Its open connections end within a second.",
    right: "session",
    params: byId,
  },
}));
