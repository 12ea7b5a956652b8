import { z } from "zod";
import type { Database } from "../database.ts";
import { listenChannel } from "../listen-channel.ts";
import { printOfViews } from "./views.ts";

/** Views are other ones: of a table, and its owner's alone where there is one; of any, where nothing is told. */
export interface ViewNews {
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
  tell: (news: ViewNews) => void,
  { checkIntervalMs = CHECK_INTERVAL_MS } = {},
): () => void {
  let known: string | null = null;
  const look = async () => {
    const found = await printOfViews(database.kysely);
    if (known !== null && found !== known) tell({});
    known = found;
  };
  // where the store is away, the next look compares with what was known before
  const lookNow = () => void look().catch(() => undefined);
  lookNow();
  const looking = setInterval(lookNow, checkIntervalMs);
  const stopListening = listenChannel(database, "watchfloor_views", {
    onListening: () => tell({}),
    onMessage: (payload) => tell(readNews(payload)),
  });
  return () => {
    clearInterval(looking);
    stopListening();
  };
}

const payloadSchema = z.object({ table: z.string(), owner: z.string().nullable() });

/** Anybody who may connect to the database may notify: what can't be read stands for any view. */
function readNews(payload: string): ViewNews {
  try {
    const { table, owner } = payloadSchema.parse(JSON.parse(payload));
    return { table, ...(owner !== null && { owner }) };
  } catch {
    return {};
  }
}
