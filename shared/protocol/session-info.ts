import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";
import { clientLimitNames } from "../limits.ts";
import { rightsSchema } from "../policy/role-schema.ts";

/** Some of the records, also in words. */
const onlySchema = z.object({ filter: filterSchema, when: z.string() });

export const tableAbilitiesSchema = z.object({
  read: z.boolean(),
  /** Whether row rights hide records from the user: a total that is not exact is then a lower bound. */
  hidesRows: z.literal(true).exactOptional(),
  create: z.boolean(),
  /** The fields that may be written, as far as the role alone decides. */
  update: z.array(z.string()),
  /** If not all may be updated. Absent also if it names a hidden field: then only the server knows. */
  updateOnly: onlySchema.exactOptional(),
  delete: z.boolean(),
  /** If not all may be deleted. */
  deleteOnly: onlySchema.exactOptional(),
  /** Every transition, or the named ones, as far as the role alone decides. */
  transitions: z.union([z.boolean(), z.array(z.string())]),
  history: z.boolean(),
  export: z.boolean(),
  comment: z.boolean(),
  /** Whether the user may have personal views. */
  views: z.boolean(),
  /** Whether the user may acknowledge alerts of its tiles. */
  acknowledge: z.boolean(),
  /** Hidden fields are absent from `fields`. */
  fields: z.array(z.string()),
});

export const abilitiesSchema = z.object({
  rights: rightsSchema,
  tables: z.record(z.string(), tableAbilitiesSchema),
});

/** `GET /session`, and the answer to every sign-in: the user and their abilities. */
export const sessionInfoSchema = z
  .object({
    user: z.object({
      id: z.string(),
      name: z.string(),
      colour: z.string(),
      email: z.string(),
      role: z.string(),
      /** The name of the role. */
      roleName: z.string(),
      attributes: z.record(z.string(), jsonSchema),
    }),
    /** The API token that calls, if it is one; `user` is its creator, with the role of the token. */
    token: z.object({ id: z.string(), name: z.string() }).exactOptional(),
    abilities: abilitiesSchema,
    /** The server's limits, so that the client stays within them. */
    limits: z.record(z.enum(clientLimitNames), z.int()),
    expires: z.string(),
  })
  .meta({ id: "SessionInfo" });
export type SessionInfo = z.infer<typeof sessionInfoSchema>;
