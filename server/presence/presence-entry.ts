import { z } from "zod";
import type { BusChannel } from "../messaging/bus-channel.ts";

/** The place of one connection's user. One place per connection; a user may have several. */
const presenceEntrySchema = z.object({
  connection: z.string(),
  person: z.object({ id: z.string(), name: z.string(), colour: z.string() }),
  table: z.string(),
  record: z.string().optional(),
  field: z.string().optional(),
  mode: z.enum(["viewing", "editing"]),
});
export type PresenceEntry = z.infer<typeof presenceEntrySchema>;

/**
 * Messages between servers. `list` contains all entries of a server's own connections. It is sent on request
 * and repeatedly, so that a lost message is repaired by the next one.
 */
const presenceEventSchema = z.union([
  z.object({ node: z.string(), set: presenceEntrySchema }),
  z.object({ node: z.string(), gone: z.string() }),
  z.object({ node: z.string(), list: z.array(presenceEntrySchema) }),
  z.object({ node: z.string(), ask: z.literal(true) }),
]);
export type PresenceEvent = z.infer<typeof presenceEventSchema>;

export const PRESENCE_CHANNEL: BusChannel<PresenceEvent> = {
  name: "presence",
  schema: presenceEventSchema,
};

/** Whether two entries look the same to everybody. */
export function isSamePlace(a: PresenceEntry, b: PresenceEntry): boolean {
  return (
    a.table === b.table &&
    a.record === b.record &&
    a.field === b.field &&
    a.mode === b.mode &&
    a.person.name === b.person.name &&
    a.person.colour === b.person.colour
  );
}
