/**
 * The addresses of tables and records, encoded; `AddressRouter` decodes them. `board`, in any case, is the table's board,
 * and browsers resolve `.` and `..` even when they are escaped, so a record that is called so is written with `~` before
 * its id; one that begins with `~` gets another. Only other programs can create a record `.` or `..`: sockets reach it, but
 * no path of the REST API does, so its panel has no history.
 */

const BOARD = "board";
const MARK = "~";
const taken: readonly string[] = [BOARD, ".", ".."];

export function tableAddress(table: string): string {
  return `/t/${encodeURIComponent(table)}`;
}

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

export function recordAddress(table: string, record: string): string {
  const isTaken = taken.includes(record.toLowerCase()) || record.startsWith(MARK);
  return `${tableAddress(table)}/${encodeURIComponent(isTaken ? `${MARK}${record}` : record)}`;
}

/** The id of the record that the last part of such an address names. The part is decoded. */
export function recordAt(part: string): string {
  return part.startsWith(MARK) ? part.slice(MARK.length) : part;
}
