import type { Database } from "../database.ts";
import { listenChannel } from "../listen-channel.ts";

/**
 * What Postgres tells: whose session ended, who or which role changed, which display was revoked or is to
 * show something else; or that something was missed.
 */
export type PeopleNews =
  | { kind: "session"; session: string }
  | { kind: "user"; user: string }
  | { kind: "role"; role: string }
  | { kind: "display"; display: string }
  | { kind: "all" };

/** What takes nothing from anybody, and is only of interest. */
export interface OtherNews {
  /** A display went dark or came back. */
  onHealth?: (display: string) => void;
  /** An event of security was written. */
  onEvent?: () => void;
}

/**
 * Follows what happens to users, their roles and sessions in the database, whoever does it. When the connection
 * comes back after a break, everything is in doubt and `all` is told. Returns the way to stop.
 */
export function listenForPeople(
  database: Database,
  tell: (news: PeopleNews) => void,
  { onHealth, onEvent }: OtherNews = {},
): () => void {
  return listenChannel(database, "watchfloor_people", {
    onListening: () => tell({ kind: "all" }),
    onMessage(payload) {
      const [kind, id] = payload.split(":", 2);
      if (kind === "session" && id) tell({ kind, session: id });
      else if (kind === "user" && id) tell({ kind, user: id });
      else if (kind === "role" && id) tell({ kind, role: id });
      else if (kind === "display" && id) tell({ kind, display: id });
      else if (kind === "displayHealth" && id) onHealth?.(id);
      else if (kind === "event") onEvent?.();
      else tell({ kind: "all" });
    },
  });
}
