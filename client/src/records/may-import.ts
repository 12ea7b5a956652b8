import type { TableAbilities } from "../../../shared/policy/abilities.ts";

/** Whether a user may write anything in a table that a file could contain. The server authorises each row. */
export function mayImport({ create, update, transitions }: TableAbilities): boolean {
  const mayChangeState = Array.isArray(transitions) ? transitions.length > 0 : transitions;
  return create || update.length > 0 || mayChangeState;
}

/** The address of the screen that imports a file into a table. */
export function importAddress(table: string): string {
  return `/import/${encodeURIComponent(table)}`;
}
