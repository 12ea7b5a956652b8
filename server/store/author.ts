import type { Author } from "../../shared/protocol/record.ts";

const kinds = new Set<string>(["user", "token", "display", "external", "system"]);

/**
 * The author from the text in the log: `<kind>:<id>`. A text in another form was set by another program, and becomes
 * `external`.
 */
export function authorOf(actor: string, name: string | null): Author {
  const colon = actor.indexOf(":");
  const kind = actor.slice(0, colon);
  if (colon < 1 || !kinds.has(kind)) return { kind: "external", id: actor, name: actor };
  const id = actor.slice(colon + 1);
  return { kind: kind as Author["kind"], id, name: name ?? id };
}

/**
 * An SQL expression for functions that run as the owner of the log: whether the session's role may name any author. Only
 * roles that may write the log itself may, because any role can change the setting.
 */
export const mayNameAuthors = "has_table_privilege(session_user, 'watchfloor.change', 'insert')";
