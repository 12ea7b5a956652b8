import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";
import { clientLimitNames } from "../limits.ts";
import type { Abilities, TableAbilities } from "../policy/abilities.ts";
import { rightsSchema } from "../policy/role-schema.ts";
import { wordingShape } from "./wording.ts";

const onlySchema = z.object({ filter: filterSchema, when: z.string(), ...wordingShape });

const tableAbilitiesSchema = z.object({
  read: z.boolean(),
  hidesRows: z.literal(true).exactOptional(),
  create: z.boolean(),
  update: z.array(z.string()),
  updateOnly: onlySchema.exactOptional(),
  delete: z.boolean(),
  deleteOnly: onlySchema.exactOptional(),
  transitions: z.union([z.boolean(), z.array(z.string())]),
  history: z.boolean(),
  export: z.boolean(),
  comment: z.boolean(),
  views: z.boolean(),
  acknowledge: z.boolean(),
  fields: z.array(z.string()),
}) satisfies z.ZodType<TableAbilities>;

const abilitiesSchema = z.object({
  rights: rightsSchema,
  tables: z.record(z.string(), tableAbilitiesSchema),
}) satisfies z.ZodType<Abilities>;

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
