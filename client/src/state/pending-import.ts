import { atom } from "jotai/vanilla";
import { store } from "./store.ts";

/** A file, and the text that its user reads as empty. */
interface PendingFile {
  file: File;
  nullText: string;
}

/**
 * A file that is imported once the table made for it is published. Held in memory only: after a reload the file is
 * chosen again.
 */
const pendingAtom = atom<(PendingFile & { table: string }) | null>(null);

/** Remembers the file of a table of the draft, by the table's id. */
export function setPendingFile(table: string, file: PendingFile): void {
  store.set(pendingAtom, { table, ...file });
}

/** The table of the draft that a file is waiting for. */
export function tableOfPendingFile(): string | null {
  return store.get(pendingAtom)?.table ?? null;
}

/** Names the table of the waiting file once it is published. */
export function namePendingTable(name: string): void {
  store.set(pendingAtom, (pending) => pending && { ...pending, table: name });
}

/** Whether a file is waiting for a table. */
export function hasPendingFile(table: string): boolean {
  return tableOfPendingFile() === table;
}

/** The file that is waiting for a table, once. */
export function takePendingFile(table: string): PendingFile | null {
  const pending = store.get(pendingAtom);
  if (pending?.table !== table) return null;
  store.set(pendingAtom, null);
  return pending;
}
