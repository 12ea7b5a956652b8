import { z } from "zod";
import type { Database } from "../database.ts";
import { followChanges } from "../follow-changes.ts";
import { fingerprintViews } from "./views.ts";

/** Changed views: of a table, and of one owner if there is one; of any table if none is given. */
export interface ViewsChange {
  table?: string;
  owner?: string;
}

/** Follows changes of views in the database. Returns a function that stops. */
export function listenForViews(
  database: Database,
  notify: (change: ViewsChange) => void,
): () => void {
  return followChanges(database, "watchfloor_views", {
    onListening: () => notify({}),
    onMessage: (payload) => notify(parseChange(payload)),
    fingerprint: fingerprintViews,
    onDifferent: (_, before) => before !== null && notify({}),
  });
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
