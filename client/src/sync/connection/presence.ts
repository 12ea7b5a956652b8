/** Where I am on a table, as others may see it. */
export interface PresenceLocation {
  view?: string;
  record?: string;
  field?: string;
  mode: "viewing" | "editing";
}

/**
 * Tells others where I am: at most ten times a second, the latest wins; repeated as a heartbeat, and
 * after every reconnect. Who else is there: `presenceAtom(table)`.
 */
export interface PresenceReporter {
  /** I am here now, and nowhere else. */
  set(table: string, location: PresenceLocation): void;
  /** Takes me off the table's list, if that is where I was last. */
  leave(table: string): void;
}
