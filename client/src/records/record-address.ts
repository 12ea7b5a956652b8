import { BOARD, recordAddress, tableAddress } from "../../../shared/record-address.ts";
import { isWithin } from "../ui/address-router.tsx";

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

/**
 * Where a link from outside a table opens a record: over the rows or the board that the page shows of its table, so that its user stays in
 * their view, or else in the table. `here` is encoded, as the browser has it.
 */
export function recordAddressFrom(
  here: Pick<Location, "pathname" | "search">,
  table: string,
  record: string,
): string {
  const { pathname, search } = here;
  if (pathname === boardAddress(table))
    return `${pathname}${searchWithRecord(new URLSearchParams(search), record)}`;
  return `${recordAddress(table, record)}${isWithin(pathname, tableAddress(table)) ? search : ""}`;
}
