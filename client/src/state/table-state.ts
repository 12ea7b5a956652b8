import { type Atom, atom } from "jotai/vanilla";
import { deepEqual } from "../../../shared/document/deep-equal.ts";
import type { Position } from "../../../shared/protocol/position.ts";
import type { PresenceUser } from "../../../shared/protocol/presence.ts";
import { atomFamily } from "./atom-family.ts";
import type { RecordView } from "./record-view.ts";

/** `refused`: the user may not read this table; `resyncing`: rows are being reloaded. */
export type TablePhase = "closed" | "subscribing" | "live" | "resyncing" | "refused";

/**
 * One atom per table: it holds the mutable cache behind `get` and a version that moves once per tick.
 * Nothing may be derived from it over all records (docs/adr/0007-client-core.md): read the records you show.
 */
interface TableState {
  version: number;
  phase: TablePhase;
  position: Position | null;
  get(record: string): RecordView | undefined;
}

export const closedTable: TableState = {
  version: 0,
  phase: "closed",
  position: null,
  get: () => undefined,
};

/** The state of a table; closed while no one follows it. */
export const tableAtom = atomFamily(closedTable);

/** Everybody else on the table, one entry per connection. */
export const presenceAtom = atomFamily<readonly PresenceUser[]>([]);

/** Whether that list has arrived: until then an empty one says nothing. */
export const isPresenceKnownAtom = atomFamily(false);

/**
 * Those of them on one record, or in one field of it: the same list until somebody of these comes, goes or does something else. Each message
 * names everybody on the table, and most are somewhere else.
 */
export function presentOnAtom(
  table: string,
  record: string,
  field?: string,
): Atom<readonly PresenceUser[]> {
  let last: readonly PresenceUser[] = [];
  const isHere = (user: PresenceUser) =>
    user.record === record && (field === undefined || user.field === field);
  return atom((get) => {
    const now = get(presenceAtom(table)).filter(isHere);
    if (!deepEqual(now, last)) last = now;
    return last;
  });
}

/** One record of an open table. Made by the caller for as long as it shows the record. */
export function recordAtom(table: string, record: string): Atom<RecordView | undefined> {
  return atom((get) => get(tableAtom(table)).get(record));
}
