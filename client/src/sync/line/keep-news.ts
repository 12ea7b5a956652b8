import type { NoticeMessage } from "../../../../shared/protocol/signals.ts";
import type { AtomStore } from "../../state/atom-store.ts";
import { displayNewsAtom } from "../../state/display-news.ts";
import { peopleNewsAtom } from "../../state/people-news.ts";
import { viewNewsAtom } from "../../state/views-state.ts";

/** Keeps what screens of the administration are told, for those that show it. */
export function keepNews(store: AtomStore, notice: NoticeMessage): void {
  if (notice.kind === "display") store.set(displayNewsAtom, notice.display);
  if (notice.kind === "people") tellPeople(store);
  if (notice.kind === "views") tellViews(store, notice.table);
}

/** Views of a table, or of all, may be other ones: also when nobody could say so, because the line was down. */
export function tellViews(store: AtomStore, table?: string): void {
  const { all, tables } = store.get(viewNewsAtom);
  const next =
    table === undefined
      ? { all: all + 1, tables }
      : { all, tables: { ...tables, [table]: (tables[table] ?? 0) + 1 } };
  store.set(viewNewsAtom, next);
}

/** Something may have been done to people: also when nobody could say so, because the line was down. */
export function tellPeople(store: AtomStore): void {
  store.set(peopleNewsAtom, store.get(peopleNewsAtom) + 1);
}
