/**
 * Tab-separated ranges as Excel, Sheets and LibreOffice put them on the clipboard: rows end in LF or
 * CRLF, a cell that holds a tab, a line break or a quote at its start is quoted, quotes are doubled.
 * Guarantee: `parseTsv(formatTsv(cells))` gives `cells` back for every rectangle of texts.
 */

/** The cells of a pasted text. A line break at the very end closes the last row, it starts none. */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at <= text.length) {
    const cell = text[at] === '"' ? readQuoted(text, at) : readBare(text, at);
    rows.at(-1)?.push(cell.value);
    at = cell.end;
    const after = text[at];
    if (after === undefined) break;
    at += after === "\r" && text[at + 1] === "\n" ? 2 : 1;
    if (after === "\t") continue;
    if (at >= text.length) break;
    rows.push([]);
  }
  return rows;
}

/** The text of a rectangle of cells; rows joined by LF, none after the last. */
export function formatTsv(rows: readonly (readonly string[])[]): string {
  const text = rows.map((row) => row.map(quoteIfNeeded).join("\t")).join("\n");
  // A last cell that is empty and alone in its row would read as the end of the row before it.
  const last = rows.at(-1);
  return rows.length > 1 && last?.length === 1 && last[0] === "" ? `${text}\n` : text;
}

interface ReadCell {
  value: string;
  end: number;
}

function readBare(text: string, start: number): ReadCell {
  let end = start;
  while (end < text.length && !isSeparator(text[end])) end += 1;
  return { value: text.slice(start, end), end };
}

/**
 * A quote that never closes, text after the closing one, or nothing inside that needs quoting, means that it was no quoting: taken
 * as it is.
 */
function readQuoted(text: string, start: number): ReadCell {
  let value = "";
  let at = start + 1;
  while (at < text.length) {
    if (text[at] !== '"') {
      value += text[at];
      at += 1;
    } else if (text[at + 1] === '"') {
      value += '"';
      at += 2;
    } else {
      const end = at + 1;
      const isQuoting = /[\t\n\r"]/.test(value) && (end >= text.length || isSeparator(text[end]));
      return isQuoting ? { value, end } : readBare(text, start);
    }
  }
  return readBare(text, start);
}

function isSeparator(character: string | undefined): boolean {
  return character === "\t" || character === "\n" || character === "\r";
}

function quoteIfNeeded(cell: string): string {
  return /^"|[\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
