import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { CreateViewCall, PatchViewCall, ViewInfo } from "../../../../shared/protocol/views.ts";
import { store } from "../../state/store.ts";
import { onUpdate } from "../../state/updates.ts";
import { cacheView, showMoved, viewsAtom } from "../../state/views-state.ts";
import { rest } from "../../transport/rest/rest.ts";

/** Views as the server stores them. The user's own change is shown at once, before the server's notification. */

const RETRY_MS = 3_000;

/**
 * Keeps the views of a table in `viewsAtom` until the returned function is called. They are read now, and again
 * whenever they may have changed. A failed read leaves them as they were and is repeated.
 */
export function followViews(table: string): () => void {
  const atom = viewsAtom(table);
  let turn = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const read = async () => {
    const mine = ++turn;
    clearTimeout(retry);
    const found = await rest("GET /views", { query: { table } }).catch(() => null);
    if (mine !== turn) return;
    if (found) store.set(atom, found.items);
    else retry = setTimeout(read, RETRY_MS);
  };
  const stop = onUpdate(["views"], (notice) => {
    if (notice?.table === undefined || notice.table === table) void read();
  });
  void read();
  return () => {
    stop();
    clearTimeout(retry);
    turn = -1;
    store.set(atom, null);
  };
}

/** Creates a view and shows it at once. */
export async function createView(body: CreateViewCall): Promise<ViewInfo> {
  return cacheView(await rest("POST /views", { body }));
}

/** With a `base`, what others changed meanwhile stays, or a `conflict` is thrown. */
export async function changeView(id: string, body: PatchViewCall): Promise<ViewInfo> {
  return cacheView(await rest("PATCH /views/{id}", { params: { id }, body }));
}

/** Puts all records of a view back into the order of entry, and shows that at once. */
export async function resetOrder(id: string): Promise<void> {
  showMoved(await rest("DELETE /views/{id}/order", { params: { id } }));
}

/** Removes a view. That it is already gone is no failure. */
export async function removeView({ id, table }: ViewInfo): Promise<void> {
  await rest("DELETE /views/{id}", { params: { id } }).catch((error) => {
    if (!(error instanceof Refusal && error.code === "not_found")) throw error;
  });
  const known = store.get(viewsAtom(table));
  if (known)
    store.set(
      viewsAtom(table),
      known.filter((view) => view.id !== id),
    );
}

/** Brings a view back that was removed a moment ago. */
export async function restoreView(id: string): Promise<ViewInfo> {
  return cacheView(await rest("POST /views/{id}/restore", { params: { id } }));
}
