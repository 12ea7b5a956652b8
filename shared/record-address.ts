/**
 * The addresses of tables and records, encoded; the page's `AddressRouter` decodes them, and mails name them. `board`, in any case, is the table's board,
 * and browsers resolve `.` and `..` even when they are escaped, so a record that is called so is written with `~` before
 * its id; one that begins with `~` gets another. Only other programs can create a record `.` or `..`: sockets reach it, but
 * no path of the REST API does, so its panel has no history.
 */

export const BOARD = "board";
const MARK = "~";
const taken: readonly string[] = [BOARD, ".", ".."];

export function tableAddress(table: string): string {
  return `/t/${encodeURIComponent(table)}`;
}

export function recordAddress(table: string, record: string): string {
  const isTaken = taken.includes(record.toLowerCase()) || record.startsWith(MARK);
  return `${tableAddress(table)}/${encodeURIComponent(isTaken ? `${MARK}${record}` : record)}`;
}

/** The id of the record that the last part of such an address names. The part is decoded. */
export function recordAt(part: string): string {
  return part.startsWith(MARK) ? part.slice(MARK.length) : part;
}
