import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";

/** A record on the wire: every visible field, `null` where empty. */
export const recordSchema = z
  .object({
    id: z.string(),
    version: z.string(),
    values: z.record(z.string(), jsonSchema),
  })
  .meta({ id: "Record" });
export type WireRecord = z.infer<typeof recordSchema>;

/** Names of tables and fields as a client may send them; their existence is checked later. */
export const nameSchema = z.string().min(1).max(120);
export const recordIdSchema = z.string().min(1).max(400);
export const valuesSchema = z.record(nameSchema, jsonSchema).meta({ id: "Values" });

/** The author of something: a user, a token, another program (`external`) or the server itself. */
export const authorSchema = z
  .object({
    kind: z.enum(["user", "token", "display", "external", "system"]),
    id: z.string(),
    name: z.string(),
  })
  .meta({ id: "Author" });
export type Author = z.infer<typeof authorSchema>;

/** What a browser may say of its own edits: in which part of the interface they were made. */
export const clientOriginSchema = z.enum(["grid", "panel", "paste", "undo"]);
export type ClientOrigin = z.infer<typeof clientOriginSchema>;

/** How a change came about. Set by the server. */
export const originSchema = z.enum([
  ...clientOriginSchema.options,
  "bulk",
  "import",
  "revert",
  "api",
  "agent",
]);
export type Origin = z.infer<typeof originSchema>;
