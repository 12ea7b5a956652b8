/** A line of a CSV file (RFC 4180), quoted where any delimiter that importing recognises would split it. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[",;\t\r\n|]/.test(cell) ? quotedCell(cell) : cell));
  return `${quoted.join(",")}\r\n`;
}

/** A cell within quotation marks. */
export function quotedCell(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** Precedes the first line, so that spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\u{FEFF}";

/**
 * What begins a formula: at the beginning of a cell, and behind a sign by which another program may split the line, whatever our quotes say.
 * Some take the full-width signs for it, too, and skip a line break before it.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;
const FORMULA_WITHIN = /(?<=[;\t|])'*[=+\-@＝＋－＠]/g;

/** A text that no spreadsheet runs as a formula: an apostrophe precedes it, and the signs that begin a formula. */
export function withoutFormula(text: string): string {
  const marked = text.replace(FORMULA_WITHIN, "'$&");
  return marked !== text || FORMULA.test(text) ? `'${marked}` : text;
}

const MARKED = /^'+[=+\-@＝＋－＠\t\r\n]/;
const MARKED_WITHIN = /(?<=[;\t|])'(?='*[=+\-@＝＋－＠])/g;

/** The text of `withoutFormula` as it was. Spreadsheets mark texts by the same apostrophe. */
export function withFormula(text: string): string {
  if (!text.startsWith("'")) return text;
  const unmarked = text.replace(MARKED_WITHIN, "");
  return unmarked !== text || MARKED.test(text) ? unmarked.slice(1) : text;
}

/** A line of rejected rows: each cell is read as it was in the file, and none is run as a formula. */
export function rejectedLine(cells: readonly string[]): string {
  return csvLine(cells.map((cell) => withoutFormula(withFormula(cell))));
}
