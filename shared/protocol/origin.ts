import { z } from "zod";

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
