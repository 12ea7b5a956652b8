import { atom } from "jotai/vanilla";
import { store } from "./store.ts";

/** The last notice about comments: of one record, or of any after a lost connection. */
export const commentUpdateAtom = atom<{ table?: string; record?: string }>({});

/** Counts notices that comments which mention the user may have changed. */
export const mentionUpdatesAtom = atom(0);

/** The record whose comments are on the screen. */
export const shownThreadAtom = atom<{ table: string; record: string } | null>(null);

/** Calls back when the comments on a record, or on any, may have changed. Returns a function that stops. */
export function onCommentUpdate(
  thread: { table: string; record: string } | null,
  callback: () => void,
): () => void {
  return store.sub(commentUpdateAtom, () => {
    const { table, record } = store.get(commentUpdateAtom);
    const isAny = thread === null || table === undefined;
    if (isAny || (table === thread.table && record === thread.record)) callback();
  });
}
