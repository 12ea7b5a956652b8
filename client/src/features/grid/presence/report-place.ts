import type { Desk } from "../desk.ts";
import { focusedCell } from "../feed/keep-place.ts";
import { recordInRow } from "../range/row-map.ts";

/** Tells others which cell I am in and whether I am typing there. */
export function reportPlace(desk: Desk): () => void {
  const { api, core, table } = desk;
  const tell = () => {
    const at = focusedCell(desk);
    const record = at && recordInRow(desk, at.row);
    if (!at || !record || record.pending === "draft")
      core.presence.set(table.name, { mode: "viewing" });
    else {
      const mode = desk.editors.isOpen ? "editing" : "viewing";
      core.presence.set(table.name, { record: record.id, field: at.field, mode });
    }
  };
  // Where the grid's event comes before the focus has moved, what is true is true one task later.
  const later = () => queueMicrotask(tell);
  api.addEventListener("cellFocused", later);
  const unsubscribe = desk.editors.subscribe(later);
  tell();
  return () => {
    unsubscribe();
    core.presence.leave(table.name);
  };
}
