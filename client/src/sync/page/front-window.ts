import type { RecordWindow } from "../window/record-window.ts";

/**
 * The window of rows on the screen, so that a record's panel can step through the same order.
 * There is at most one; without it the panel has no neighbours.
 */
let front: { table: string; window: RecordWindow } | null = null;

/** Names the window on the screen; the answer takes it away again. */
export function setFrontWindow(table: string, window: RecordWindow): () => void {
  const mine = { table, window };
  front = mine;
  return () => {
    if (front === mine) front = null;
  };
}

/** The record before or after one in the order on the screen, if it is known. */
export function neighbourOf(table: string, record: string, step: 1 | -1): string | null {
  if (front?.table !== table) return null;
  const { window } = front;
  const above = window.created.findIndex((view) => view.id === record);
  const row = above >= 0 ? above : window.indexOf(record) + window.created.length;
  if (above < 0 && window.indexOf(record) < 0) return null;
  const next = row + step;
  const view =
    next < window.created.length ? window.created[next] : window.at(next - window.created.length);
  return view?.id ?? null;
}
