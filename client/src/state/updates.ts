import { atom } from "jotai/vanilla";
import type { NoticeMessage } from "../../../shared/protocol/signals.ts";
import type { AtomStore } from "./atom-store.ts";
import { store as pageStore } from "./store.ts";

/** What the server announces changes of. */
export type UpdateKind = Exclude<NoticeMessage["kind"], "health">;
type Notice<K> = Extract<NoticeMessage, { kind: K }>;

/** The last notice; null where any may have been missed. Another object with each, so that subscribers are called. */
const lastNoticeAtom = atom<{ notice: NoticeMessage | null }>({ notice: null });

/** Stores a notice for the screens that show what it is about. */
export function storeUpdate(store: AtomStore, notice: Notice<UpdateKind>): void {
  store.set(lastNoticeAtom, { notice });
}

/** Anything may have changed: the connection was lost, or rights are other ones. */
export function storeUpdateOfAll(store: AtomStore): void {
  store.set(lastNoticeAtom, { notice: null });
}

/**
 * Calls back with every notice of these kinds on this page, and with null when any may have been missed. Returns a
 * function that stops.
 */
export function onUpdate<K extends UpdateKind>(
  kinds: readonly K[],
  callback: (notice: Notice<K> | null) => void,
): () => void {
  return pageStore.sub(lastNoticeAtom, () => {
    const { notice } = pageStore.get(lastNoticeAtom);
    if (!notice || kinds.some((kind) => kind === notice.kind)) callback(notice as Notice<K> | null);
  });
}
