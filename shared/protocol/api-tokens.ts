import { z } from "zod";
import { personNameSchema } from "./person-name.ts";

/** An API token as its creator, or a user with the right `tokens`, sees it. */
export const apiTokenSchema = z
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
    /** `suspended`: its creator is disabled. */
    state: z.enum(["active", "expired", "suspended"]),
    createdAt: z.string(),
    /** Null if it does not expire. */
    expiresAt: z.string().nullable(),
    /** At most a minute old while it is in use. */
    lastUsed: z.string().nullable(),
  })
  .meta({ id: "ApiToken" });
export type ApiTokenInfo = z.infer<typeof apiTokenSchema>;

/** `POST /tokens`: without a role it has its creator's; without `expiresAt` it does not expire. */
export const createApiTokenSchema = z.strictObject({
  name: personNameSchema,
  role: z.string().min(1).max(120).optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});
export type CreateApiTokenCall = z.infer<typeof createApiTokenSchema>;

/** The only answer that holds the token itself. */
export const createdApiTokenSchema = apiTokenSchema.extend({ token: z.string() });
export type CreatedApiToken = z.infer<typeof createdApiTokenSchema>;

/** `PATCH /tokens/:id`: rights and expiry can't change; create another token instead. */
export const patchApiTokenSchema = z.strictObject({ name: personNameSchema });
