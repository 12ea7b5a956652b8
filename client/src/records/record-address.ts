import { BOARD, tableAddress } from "../../../shared/record-address.ts";

/** The addresses of what shows a table, beside those of shared/record-address.ts. */

/** The table as a saved view shows it. */
export function viewAddress(table: string, view: string): string {
  return `${tableAddress(table)}?view=${encodeURIComponent(view)}`;
}

/** The records of a table that were deleted, in the activity. */
export function deletedAddress(table: string): string {
  return `/activity?${new URLSearchParams({ show: "deleted", table })}`;
}

export function boardAddress(table: string): string {
  return `${tableAddress(table)}/${BOARD}`;
}

/** The query of a board with the panel of this record, or of none; the rest of it stays. */
export function searchWithRecord(params: URLSearchParams, record: string | null): string {
  const next = new URLSearchParams(params);
  if (record === null) next.delete("record");
  else next.set("record", record);
  return next.size > 0 ? `?${next}` : "";
}
