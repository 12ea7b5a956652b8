import type { Field } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { formatDay, formatTime, localText } from "../../../records/fields/instant.ts";
import { showLockedText } from "../../../records/fields/locked-text.ts";
import { lockedCellReason } from "../edit/locked-cell.ts";
import type { GridController } from "../grid-controller.ts";
import { recordInRow } from "../range/row-map.ts";
import { focusedCell } from "../rows/grid-focus.ts";

/** Writes today's date, or the time, into the cell with the focus; into a field that has both, both. */
export function insertNow(grid: GridController, part: "day" | "time"): void {
  const at = focusedCell(grid);
  const record = at && recordInRow(grid, at.row);
  const field = at && grid.fields.get(at.field);
  if (!record || !field) return;
  const reason = lockedCellReason(grid, field, record) ?? noValueReason(field, part);
  if (reason !== null) showLockedText(reason, false);
  else grid.actions.setCell(record, field, valueNow(field, part));
}

function noValueReason({ type, label }: Field, part: "day" | "time"): string | null {
  if (/^(text|longText|timestamp)$/.test(type) || (type === "date" && part === "day")) return null;
  return part === "day"
    ? messages.holdsNoDate({ field: label })
    : messages.holdsNoTime({ field: label });
}

function valueNow({ type }: Field, part: "day" | "time"): string {
  const now = new Date().toISOString();
  if (type === "timestamp") return now;
  if (part === "time") return formatTime(now);
  const today = localText(now).slice(0, "YYYY-MM-DD".length);
  return type === "date" ? today : formatDay(today);
}
