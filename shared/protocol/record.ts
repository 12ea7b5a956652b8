import { z } from "zod";

/** A record as it travels: every visible field, `null` where empty. */
export const recordSchema = z.object({
  id: z.string(),
  version: z.string(),
  values: z.record(z.string(), z.json()),
});
export type WireRecord = z.infer<typeof recordSchema>;

/** Names of tables and fields as a client may send them; whether they exist is judged later. */
export const nameSchema = z.string().min(1).max(120);
export const recordIdSchema = z.string().min(1).max(400);
export const valuesSchema = z.record(nameSchema, z.json());

/** Who did something: a person, a token, another program (`external`) or the server itself. */
export const authorSchema = z.object({
  kind: z.enum(["user", "token", "display", "external", "system"]),
  id: z.string(),
  name: z.string(),
});
export type Author = z.infer<typeof authorSchema>;
