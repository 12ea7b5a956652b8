import { z } from "zod";
import type { Database } from "../database.ts";
import { listenChannel } from "../listen-channel.ts";
import { fingerprintUsers } from "./users.ts";

/**
 * What Postgres tells: whose session ended, who or which role changed, which display was revoked or is to
 * show something else; or that something was missed.
 */
export type AccessEvent =
  | { kind: "session"; session: string }
  | { kind: "user"; user: string }
  | { kind: "role"; role: string }
  | { kind: "display"; display: string }
  | { kind: "all" };

/** What takes nothing from anybody, and is only of interest. */
export interface AccessListeners {
  /** A display went dark or came back. */
  onHealth?: (display: string) => void;
  /** An event of security was written. */
  onEvent?: () => void;
}

const CHECK_INTERVAL_MS = 10_000;
const ID_MAX_LENGTH = 200;
const kindSchema = z.enum(["session", "user", "role", "display", "displayHealth", "event"]);

/**
 * `kind:id`, as the triggers write it. Anybody who may connect to the database may notify: what is not in
 * this form is dropped, and what is only makes the server read the database again.
 */
const payloadSchema = z.string().transform((payload, context) => {
  const [, kind = "", id = ""] = /^(\w+):(.*)$/s.exec(payload) ?? [];
  const previous = kindSchema.safeParse(kind).data;
  const hasId = id.length > 0 && id.length <= ID_MAX_LENGTH;
  if (previous && (previous === "event" || hasId)) return { kind: previous, id };
  context.addIssue("not a notification of ours");
  return z.NEVER;
});

/**
 * Follows what happens to users, their roles and sessions in the database, whoever does it. When the connection
 * comes back after a break, everything is in doubt and `all` is told. What Postgres does not tell of users, by whose
 * names and rights so much is shown, is found by looking and told the same, perhaps again; what it does not tell of
 * sessions, roles and displays is found by those connections whom it concerns. Returns the way to stop.
 */
export function listenForAccessChanges(
  database: Database,
  notify: (event: AccessEvent) => void,
  { onHealth, onEvent, checkIntervalMs }: AccessListeners & { checkIntervalMs?: number } = {},
): () => void {
  const stopPolling = pollUsers(database, notify, checkIntervalMs);
  const stopListening = listenChannel(database, "watchfloor_people", {
    onListening: () => notify({ kind: "all" }),
    onMessage(payload) {
      const event = payloadSchema.safeParse(payload).data;
      if (!event) return;
      const { kind, id } = event;
      switch (kind) {
        case "session":
          return notify({ kind, session: id });
        case "user":
          return notify({ kind, user: id });
        case "role":
          return notify({ kind, role: id });
        case "display":
          return notify({ kind, display: id });
        case "displayHealth":
          return onHealth?.(id);
        case "event":
          return onEvent?.();
      }
    },
  });
  return () => {
    stopPolling();
    stopListening();
  };
}

function pollUsers(
  database: Database,
  notify: (event: AccessEvent) => void,
  checkIntervalMs = CHECK_INTERVAL_MS,
): () => void {
  let previous: ReadonlyMap<string, string> | null = null;
  const poll = async () => {
    const found = await fingerprintUsers(database.kysely);
    const before = previous ?? found;
    previous = found;
    for (const user of new Set([...before.keys(), ...found.keys()])) {
      if (before.get(user) !== found.get(user)) notify({ kind: "user", user });
    }
  };
  const timer = setInterval(() => {
    // the store is away: the next look compares with what was known before
    poll().catch(() => undefined);
  }, checkIntervalMs);
  return () => clearInterval(timer);
}
