import type { PresenceUser } from "../../../shared/protocol/presence.ts";

/** An online user: one entry, however many windows they have open. */
export interface PresentUser {
  id: string;
  name: string;
  colour: string;
  /** Their table. Of several windows, the one in which they edit. */
  table: string;
  record?: string | undefined;
  mode: "viewing" | "editing";
}

/** All users except `me`, sorted by name. */
export function presentUsersOf(
  entries: readonly (PresenceUser & { table: string })[],
  me: string,
): PresentUser[] {
  const found = new Map<string, PresentUser>();
  for (const { id, name, colour, table, record, mode } of entries) {
    const known = found.get(id);
    if (id === me || known?.mode === "editing") continue;
    if (!known || mode === "editing") found.set(id, { id, name, colour, table, record, mode });
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}
