import { z } from "zod";
import { nameSchema, recordIdSchema } from "./record.ts";

/**
 * Presence is per table, and in the designer per wallboard: a wallboard's place is used like a table's name, and its
 * tiles like records.
 */
const WALLBOARD_PLACE = "wallboard,";

/** The place of a wallboard's designer. */
export function wallboardPlace(wallboard: string): string {
  return WALLBOARD_PLACE + wallboard;
}

/** The wallboard whose designer a place is; null for a table. No table's name contains a comma. */
export function wallboardOfPlace(place: string): string | null {
  return place.startsWith(WALLBOARD_PLACE) ? place.slice(WALLBOARD_PLACE.length) : null;
}

/** Client → server: my place. Sent on every change and as a heartbeat; `away` removes me from the list. */
export const presenceCallSchema = z.strictObject({
  table: nameSchema,
  view: z.string().max(120).optional(),
  record: recordIdSchema.optional(),
  field: nameSchema.optional(),
  mode: z.enum(["viewing", "editing", "away"]),
});
export type PresenceCall = z.infer<typeof presenceCallSchema>;

/** Server → client: everybody on the table whom I may see, one entry per connection. */
export const presenceMessageSchema = z.object({
  table: z.string(),
  people: z.array(
    z.object({
      connection: z.string(),
      id: z.string(),
      name: z.string(),
      colour: z.string(),
      record: z.string().optional(),
      field: z.string().optional(),
      mode: z.enum(["viewing", "editing"]),
    }),
  ),
});
export type PresenceMessage = z.infer<typeof presenceMessageSchema>;
export type PresenceUser = PresenceMessage["people"][number];
