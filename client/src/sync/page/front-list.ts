import { createAtom } from "../../state/atom-store.ts";
import { store } from "../../state/store.ts";
import { watchAtom } from "../../state/watch-atom.ts";
import type { RowList } from "../rows/row-list.ts";

type Step = 1 | -1;

/** The order of the records on the screen. */
interface FrontList {
  hasNeighbour(record: string, step: Step): boolean;
  /** Null if there is none. */
  neighbour(record: string, step: Step): Promise<string | null>;
  /** Leaves out what the user has just deleted; a list without this does so by itself. */
  realign?(): void;
  /** Calls back when the list may have changed. */
  onChange(listener: () => void): () => void;
}

/**
 * The list on the screen, so that a record's panel can step through it. There is at most one; without it
 * the panel has no neighbours.
 */
const frontAtom = createAtom<(FrontList & { table: string }) | null>(null);

/** Registers the visible row list. Returns a function that removes it. */
export function setFrontRowList(table: string, rowList: RowList): () => void {
  return setFront(table, {
    hasNeighbour: (record, step) => neighbourRow(rowList, record, step) !== null,
    neighbour: (record, step) => neighbourInRowList(rowList, record, step),
    realign: () => rowList.realign(),
    onChange(listener) {
      const stops = [rowList.onRows(listener), watchAtom(rowList.statusAtom, listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  });
}

/** The same for a screen that is no row list: its records from the first to the last. */
export function setFrontRecords(
  table: string,
  records: () => readonly string[],
  onChange: FrontList["onChange"],
): () => void {
  const neighbour = (record: string, step: Step) => {
    const all = records();
    const at = all.indexOf(record);
    return at < 0 ? null : (all[at + step] ?? null);
  };
  return setFront(table, {
    hasNeighbour: (record, step) => neighbour(record, step) !== null,
    neighbour: async (record, step) => neighbour(record, step),
    onChange,
  });
}

function setFront(table: string, list: FrontList): () => void {
  const mine = { table, ...list };
  store.set(frontAtom, mine);
  return () => store.set(frontAtom, (front) => (front === mine ? null : front));
}

function listOf(table: string): FrontList | null {
  const front = store.get(frontAtom);
  return front?.table === table ? front : null;
}

/** Whether the list on the screen has a record before or after this one. */
export function hasNeighbour(table: string, record: string, step: Step): boolean {
  return listOf(table)?.hasNeighbour(record, step) ?? false;
}

/** The record before or after one in the list on the screen. */
export async function neighbourOf(
  table: string,
  record: string,
  step: Step,
): Promise<string | null> {
  return (await listOf(table)?.neighbour(record, step)) ?? null;
}

/** The user has deleted a record of the list on the screen: what they delete themselves leaves at once. */
export function realignFront(table: string): void {
  listOf(table)?.realign?.();
}

/** Calls back when there may be other neighbours. */
export function onFrontChange(listener: () => void): () => void {
  const follow = () => store.get(frontAtom)?.onChange(listener);
  let stop = follow();
  const stopFront = watchAtom(frontAtom, () => {
    stop?.();
    stop = follow();
    listener();
  });
  return () => {
    stopFront();
    stop?.();
  };
}

/** The row before or after that of a record, counted with the user's new records above; null if there is none, or the record has no row. */
function neighbourRow(rowList: RowList, record: string, step: Step): number | null {
  const { created, status } = rowList;
  const above = created.findIndex((view) => view.id === record);
  const index = rowList.indexOf(record);
  if (above < 0 && index < 0) return null;
  const next = (above >= 0 ? above : index + created.length) + step;
  return next >= 0 && next < created.length + status.rowCount ? next : null;
}

/** Reads the row if it is not loaded. */
async function neighbourInRowList(
  rowList: RowList,
  record: string,
  step: Step,
): Promise<string | null> {
  const next = neighbourRow(rowList, record, step);
  if (next === null) return null;
  const { created } = rowList;
  if (next < created.length) return created[next]?.id ?? null;
  const row = next - created.length;
  const view = rowList.at(row) ?? (await rowList.getRows(row, row + 1)).rows[0];
  return view?.id ?? null;
}
