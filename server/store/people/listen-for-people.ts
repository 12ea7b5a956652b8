import type { Database } from "../database.ts";
import { listenChannel } from "../listen-channel.ts";
import { printsOfUsers } from "./users.ts";

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

const CHECK_INTERVAL_MS = 10_000;

/**
 * Follows what happens to users, their roles and sessions in the database, whoever does it. When the connection
 * comes back after a break, everything is in doubt and `all` is told. What Postgres does not tell of users, by whose
 * names and rights so much is shown, is found by looking and told the same, perhaps again; what it does not tell of
 * sessions, roles and displays is found by those connections whom it concerns. Returns the way to stop.
 */
export function listenForPeople(
  database: Database,
  tell: (news: PeopleNews) => void,
  { onHealth, onEvent, checkIntervalMs }: OtherNews & { checkIntervalMs?: number } = {},
): () => void {
  const stopLooking = lookForUsers(database, tell, checkIntervalMs);
  const stopListening = listenChannel(database, "watchfloor_people", {
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
  return () => {
    stopLooking();
    stopListening();
  };
}

function lookForUsers(
  database: Database,
  tell: (news: PeopleNews) => void,
  checkIntervalMs = CHECK_INTERVAL_MS,
): () => void {
  let known: ReadonlyMap<string, string> | null = null;
  const look = async () => {
    const found = await printsOfUsers(database.kysely);
    const before = known ?? found;
    known = found;
    for (const user of new Set([...before.keys(), ...found.keys()])) {
      if (before.get(user) !== found.get(user)) tell({ kind: "user", user });
    }
  };
  const looking = setInterval(() => {
    // the store is away: the next look compares with what was known before
    look().catch(() => undefined);
  }, checkIntervalMs);
  return () => clearInterval(looking);
}
