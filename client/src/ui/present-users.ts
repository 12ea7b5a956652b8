import type { PresenceUser } from "../../../shared/protocol/presence.ts";

/** A person who is here now, wherever they are: one entry, however many windows they have open. */
export interface PresentUser {
  id: string;
  name: string;
  colour: string;
  /** Where they are; of several windows the one in which they type. */
  table: string;
  record?: string | undefined;
  mode: "viewing" | "editing";
}

/** Everybody but me, by name. */
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
