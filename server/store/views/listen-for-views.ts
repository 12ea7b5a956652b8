import { z } from "zod";
import type { Database } from "../database.ts";
import { listenChannel } from "../listen-channel.ts";
import { pollEvery } from "../poll-every.ts";
import { fingerprintViews } from "./views.ts";

/** Changed views: of a table, and of one owner if there is one; of any table if none is given. */
export interface ViewsChange {
  table?: string;
  owner?: string;
}

const CHECK_INTERVAL_MS = 10_000;

/**
 * Follows changes of views in the database, by any program. Missed notifications are found by polling.
 * Returns a function that stops.
 */
export function listenForViews(
  database: Database,
  notify: (change: ViewsChange) => void,
  { checkIntervalMs = CHECK_INTERVAL_MS } = {},
): () => void {
  let previous: string | null = null;
  const poll = async () => {
    const found = await fingerprintViews(database.kysely);
    if (previous !== null && found !== previous) notify({});
    previous = found;
  };
  const stopPolling = pollEvery(checkIntervalMs, poll);
  const stopListening = listenChannel(database, "watchfloor_views", {
    onListening: () => notify({}),
    onMessage: (payload) => notify(parseChange(payload)),
  });
  return () => {
    stopPolling();
    stopListening();
  };
}

const payloadSchema = z.object({ table: z.string(), owner: z.string().nullable() });

/** Anybody who may connect to the database may notify: an unreadable text means any view. */
function parseChange(payload: string): ViewsChange {
  try {
    const { table, owner } = payloadSchema.parse(JSON.parse(payload));
    return { table, ...(owner !== null && { owner }) };
  } catch {
    return {};
  }
}
