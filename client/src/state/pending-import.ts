import { atom } from "jotai/vanilla";
import { store } from "./store.ts";

/** A file, and the text that its user reads as empty. */
interface PendingFile {
  file: File;
  nullText: string;
  /** The draft that was made of it: it waits until its user goes back to the columns from there. */
  changeSet?: string;
}

/**
 * A file that is imported once the table made for it is published, or again with other columns. Held in memory only: after a reload the file is
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

/** Whether a draft was made of the waiting file. */
export function isOfPendingFile(changeSet: string): boolean {
  return store.get(pendingAtom)?.changeSet === changeSet;
}

/** Lets the file of a draft be imported again. */
export function reopenPendingFile(): void {
  store.set(pendingAtom, (pending) => {
    if (!pending) return null;
    const { table, file, nullText } = pending;
    return { table, file, nullText };
  });
}

/** Whether a file is waiting for a table. */
export function hasPendingFile(table: string): boolean {
  const pending = store.get(pendingAtom);
  return pending?.table === table && pending.changeSet === undefined;
}

/** The file that is waiting for a table, once. */
export function takePendingFile(table: string): PendingFile | null {
  const pending = store.get(pendingAtom);
  if (!hasPendingFile(table)) return null;
  store.set(pendingAtom, null);
  return pending;
}
