/** A line of a CSV file (RFC 4180), quoted where any delimiter that importing recognises would split it. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",;\t\r\n|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(",")}\r\n`;
}

/** Precedes the first line, so that spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\u{FEFF}";

/** A text that no spreadsheet runs as a formula: an apostrophe precedes the signs that begin one. */
export function withoutFormula(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The text of `withoutFormula` as it was. Spreadsheets mark texts by the same apostrophe. */
export function withFormula(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
