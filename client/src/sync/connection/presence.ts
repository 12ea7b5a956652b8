/** Where I am on a table, as others may see it. */
export interface PresenceLocation {
  view?: string;
  record?: string;
  field?: string;
  mode: "viewing" | "editing";
}

/**
 * Sends the user's location: the latest at most ten times a second, again as a heartbeat, and after
 * every reconnect. `presenceAtom(table)` holds the other users.
 */
export interface PresenceReporter {
  /** I am here now, and nowhere else. */
  set(table: string, location: PresenceLocation): void;
  /** Takes me off the table's list, if that is where I was last. */
  leave(table: string): void;
}
