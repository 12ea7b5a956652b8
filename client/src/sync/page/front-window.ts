import { createAtom } from "../../state/atom-store.ts";
import { store } from "../../state/store.ts";
import type { RecordWindow } from "../window/record-window.ts";

type Neighbour = (record: string, step: 1 | -1) => string | null;

/**
 * The order of the records on the screen, so that a record's panel can step through it. There is at most one; without it
 * the panel has no neighbours.
 */
const frontAtom = createAtom<{ table: string; neighbour: Neighbour } | null>(null);

/** Names the window on the screen; the answer takes it away again. */
export function setFrontWindow(table: string, window: RecordWindow): () => void {
  return setFront(table, (record, step) => neighbourInWindow(window, record, step));
}

/** The same for a screen that is no window: its records from the first to the last. */
export function setFrontRecords(table: string, records: () => readonly string[]): () => void {
  return setFront(table, (record, step) => {
    const all = records();
    const at = all.indexOf(record);
    return at < 0 ? null : (all[at + step] ?? null);
  });
}

function setFront(table: string, neighbour: Neighbour): () => void {
  const mine = { table, neighbour };
  store.set(frontAtom, mine);
  return () => store.set(frontAtom, (front) => (front === mine ? null : front));
}

/** The record before or after one in the order on the screen, if it is known. */
export function neighbourOf(table: string, record: string, step: 1 | -1): string | null {
  const front = store.get(frontAtom);
  return front?.table === table ? front.neighbour(record, step) : null;
}

function neighbourInWindow(window: RecordWindow, record: string, step: 1 | -1): string | null {
  const above = window.created.findIndex((view) => view.id === record);
  const row = above >= 0 ? above : window.indexOf(record) + window.created.length;
  if (above < 0 && window.indexOf(record) < 0) return null;
  const next = row + step;
  const view =
    next < window.created.length ? window.created[next] : window.at(next - window.created.length);
  return view?.id ?? null;
}
