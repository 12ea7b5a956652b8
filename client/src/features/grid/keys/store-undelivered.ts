import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";
import type { Cursor } from "./queued-input.ts";

/** Shows a notice that text did not reach its cell, and stores it as an unsaved text if the record is known. */
export function storeUndelivered(
  text: string,
  grid: GridController | null,
  cursor: Cursor | null,
): void {
  toastFailure(messages.rowNotShown({ text }));
  if (!grid || !cursor?.record) return;
  const { table, fields, core } = grid;
  const label = `${table.label} · ${fields.get(cursor.field)?.label ?? cursor.field}`;
  const place = { table: table.name, record: cursor.record, field: cursor.field };
  core.texts.add({ ...place, text, label, reason: messages.rowNotShownReason() });
}
