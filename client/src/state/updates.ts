import { atom } from "jotai/vanilla";
import type { NoticeMessage } from "../../../shared/protocol/signals.ts";
import type { AtomStore } from "./atom-store.ts";
import { store as pageStore } from "./store.ts";

/** What the server announces changes of. */
export type UpdateKind = Exclude<NoticeMessage["kind"], "health">;
type Notice<K> = Extract<NoticeMessage, { kind: K }>;

/** The last notice; null where any may have been missed. Another object with each, so that subscribers are called. */
const lastNotice = () => atom<{ notice: NoticeMessage | null }>({ notice: null });

const updateAtoms: Record<UpdateKind, ReturnType<typeof lastNotice>> = {
  people: lastNotice(),
  views: lastNotice(),
  comment: lastNotice(),
  mentions: lastNotice(),
  wallboard: lastNotice(),
  display: lastNotice(),
  displays: lastNotice(),
  webhooks: lastNotice(),
};

/** Stores a notice for the screens that show what it is about. */
export function storeUpdate(store: AtomStore, notice: Notice<UpdateKind>): void {
  store.set(updateAtoms[notice.kind], { notice });
}

/** Anything may have changed: the connection was lost, or rights are other ones. */
export function storeUpdateOfAll(store: AtomStore): void {
  for (const of of Object.values(updateAtoms)) store.set(of, { notice: null });
}

/**
 * Calls back with every notice of a kind on this page, and with null when any may have been missed. Returns a
 * function that stops.
 */
export function onUpdate<K extends UpdateKind>(
  kind: K,
  callback: (notice: Notice<K> | null) => void,
): () => void {
  const of = updateAtoms[kind];
  return pageStore.sub(of, () => callback(pageStore.get(of).notice as Notice<K> | null));
}
