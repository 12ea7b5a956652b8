import { z } from "zod";
import type { Database } from "../database.ts";
import { listenChannel } from "../listen-channel.ts";
import { fingerprintViews } from "./views.ts";

/** Views are other ones: of a table, and its owner's alone where there is one; of any, where nothing is told. */
export interface ViewsChange {
  table?: string;
  owner?: string;
}

const CHECK_INTERVAL_MS = 10_000;

/**
 * Follows what becomes of views in the database, whoever does it. What Postgres does not tell, or nobody
 * heard, is found by looking now and then. Returns the way to stop.
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
  // where the store is away, the next look compares with what was known before
  const pollNow = () => void poll().catch(() => undefined);
  pollNow();
  const timer = setInterval(pollNow, checkIntervalMs);
  const stopListening = listenChannel(database, "watchfloor_views", {
    onListening: () => notify({}),
    onMessage: (payload) => notify(parseChange(payload)),
  });
  return () => {
    clearInterval(timer);
    stopListening();
  };
}

const payloadSchema = z.object({ table: z.string(), owner: z.string().nullable() });

/** Anybody who may connect to the database may notify: what can't be read stands for any view. */
function parseChange(payload: string): ViewsChange {
  try {
    const { table, owner } = payloadSchema.parse(JSON.parse(payload));
    return { table, ...(owner !== null && { owner }) };
  } catch {
    return {};
  }
}
