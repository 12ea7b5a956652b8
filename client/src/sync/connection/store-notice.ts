import type { NoticeMessage } from "../../../../shared/protocol/signals.ts";
import type { AtomStore } from "../../state/atom-store.ts";
import { commentUpdateAtom, mentionUpdatesAtom } from "../../state/comment-updates.ts";
import { displayUpdateAtom } from "../../state/display-updates.ts";
import { userUpdatesAtom } from "../../state/user-updates.ts";
import { viewUpdatesAtom } from "../../state/views-state.ts";

/** Stores a notice for the administration screens that show it. */
export function storeNotice(store: AtomStore, notice: NoticeMessage): void {
  if (notice.kind === "display") store.set(displayUpdateAtom, notice.display);
  if (notice.kind === "people") bumpUserUpdates(store);
  if (notice.kind === "views") bumpViewUpdates(store, notice.table);
  if (notice.kind === "comment") {
    store.set(commentUpdateAtom, { table: notice.table, record: notice.record });
  }
  if (notice.kind === "mentions") bumpMentions(store);
}

/** Any comment may have changed, because the connection was lost or rights are other ones. */
export function bumpCommentUpdates(store: AtomStore): void {
  store.set(commentUpdateAtom, {});
  bumpMentions(store);
}

function bumpMentions(store: AtomStore): void {
  store.set(mentionUpdatesAtom, store.get(mentionUpdatesAtom) + 1);
}

/** Views of a table, or of all, may be other ones: also when nobody could say so, because the line was down. */
export function bumpViewUpdates(store: AtomStore, table?: string): void {
  const { all, tables } = store.get(viewUpdatesAtom);
  const next =
    table === undefined
      ? { all: all + 1, tables }
      : { all, tables: { ...tables, [table]: (tables[table] ?? 0) + 1 } };
  store.set(viewUpdatesAtom, next);
}

/** Marks users as possibly changed, also after a lost connection, when no notice could arrive. */
export function bumpUserUpdates(store: AtomStore): void {
  store.set(userUpdatesAtom, store.get(userUpdatesAtom) + 1);
}
