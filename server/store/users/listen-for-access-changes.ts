import { z } from "zod";
import type { Database } from "../database.ts";
import { followChanges } from "../follow-changes.ts";
import { fingerprintUsers } from "./users.ts";

/**
 * Notifications of Postgres: a session ended, a user, role or API token changed, a display was revoked or has another
 * program; or something was missed.
 */
export type AccessEvent =
  | { kind: "session"; session: string }
  | { kind: "user"; user: string }
  | { kind: "role"; role: string }
  | { kind: "token"; token: string }
  | { kind: "display"; display: string }
  | { kind: "all" };

/** Notifications that revoke nothing. */
interface AccessListeners {
  /** A display went offline or came back. */
  onHealth?: (display: string) => void;
  /** A security event was written. */
  onEvent?: () => void;
  /** Sessions, second factors or API tokens of a user changed. */
  onAccount?: (user: string) => void;
  /** Change sets were created, removed, or have another state or version. */
  onChangeSets?: () => void;
}

const ID_MAX_LENGTH = 200;
const kindSchema = z.enum([
  "session",
  "user",
  "role",
  "token",
  "display",
  "displayHealth",
  "event",
  "account",
  "changeSets",
]);
/** What a notification without an id is about. */
const withoutId: readonly string[] = ["event", "changeSets"];

/**
 * `kind:id`, as the triggers write it. Anybody who may connect to the database may notify: other texts are
 * dropped, and these only make the server read the database again.
 */
const payloadSchema = z.string().transform((payload, context) => {
  const [, kind = "", id = ""] = /^(\w+):(.*)$/s.exec(payload) ?? [];
  const previous = kindSchema.safeParse(kind).data;
  const hasId = id.length > 0 && id.length <= ID_MAX_LENGTH;
  if (previous && (withoutId.includes(previous) || hasId)) return { kind: previous, id };
  context.addIssue("not a notification of ours");
  return z.NEVER;
});

/**
 * Follows changes to users, their roles and sessions in the database, by any program. When the connection
 * comes back after a break, `all` is emitted to revalidate everything. Missed changes of users, whose names
 * and rights are shown everywhere, are found by polling and emitted the same way, perhaps again; those of
 * sessions, roles, tokens and displays are found by the connections concerned. Returns a function that stops.
 */
export function listenForAccessChanges(
  database: Database,
  notify: (event: AccessEvent) => void,
  {
    onHealth,
    onEvent,
    onAccount,
    onChangeSets,
    checkIntervalMs,
  }: AccessListeners & { checkIntervalMs?: number } = {},
): () => void {
  return followChanges(database, "watchfloor_people", {
    onListening: () => notify({ kind: "all" }),
    fingerprint: fingerprintUsers,
    onDifferent(found, before) {
      if (!before) return;
      for (const user of new Set([...before.keys(), ...found.keys()])) {
        if (before.get(user) !== found.get(user)) notify({ kind: "user", user });
      }
    },
    checkIntervalMs,
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
        case "token":
          return notify({ kind, token: id });
        case "display":
          return notify({ kind, display: id });
        case "displayHealth":
          return onHealth?.(id);
        case "event":
          return onEvent?.();
        case "account":
          return onAccount?.(id);
        case "changeSets":
          return onChangeSets?.();
      }
    },
  });
}
