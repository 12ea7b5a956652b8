import { nameSchema } from "../../shared/protocol/record.ts";
import type { Database } from "./database.ts";
import { listenChannel } from "./listen-channel.ts";

/**
 * Calls `wake` with the table's name when another program has committed to it. What is missed while the
 * connection is unavailable is found by the relay's poll. Returns a function that stops.
 */
export function listenForFeeds(database: Database, wake: (table: string) => void): () => void {
  return listenChannel(database, "watchfloor_feed", {
    onMessage(table) {
      if (nameSchema.safeParse(table).success) wake(table);
    },
  });
}
