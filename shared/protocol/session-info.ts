import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { clientLimitNames } from "../limits.ts";
import { abilitiesSchema } from "../policy/abilities-schema.ts";

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
