import type { ExactValue } from "./exact-value.ts";
import { tableOf } from "./html-table.ts";
import { parseTsv } from "./tsv.ts";

/** A cell as a spreadsheet has put it on the clipboard. */
export interface PastedCell {
  /** As it was displayed there. */
  text: string;
  /** Its number with all digits; of a date the days since 30 December 1899. */
  number?: string;
}

/** The clipboard type of exact values, for pasting inside the product. */
export const EXACT_VALUES_TYPE = "application/x-watchfloor-cells+json";

/** Exact values with the types of their fields. */
export interface ExactCells {
  types: string[];
  rows: ExactValue["value"][][];
}

/** The copied cells by row and column, and their exact values where they were copied in the product. */
export interface ClipboardCells {
  rows: PastedCell[][];
  exact: ExactCells | null;
}

/** Reads what is on the clipboard: a table of a spreadsheet, or tab-separated text. */
export function readClipboard(clipboard: Pick<DataTransfer, "getData">): ClipboardCells {
  const text = clipboard.getData("text/plain");
  const exact = parseExact(clipboard.getData(EXACT_VALUES_TYPE));
  const table = exact ? null : tableOf(clipboard.getData("text/html"));
  const isEmpty = text === "" && table === null;
  const plain = () => parseTsv(text).map((row) => row.map((cell) => ({ text: cell })));
  return { rows: isEmpty ? [] : table ? withSpacesOf(table, parseTsv(text)) : plain(), exact };
}

/** HTML has one space for several, and for a line break in a text. The plain text beside it has them, where it is the same text otherwise. */
function withSpacesOf(
  table: PastedCell[][],
  plain: readonly (readonly string[])[],
): PastedCell[][] {
  return table.map((row, y) =>
    row.map((cell, x) => {
      const text = plain[y]?.[x] ?? "";
      const isSame = cell.text !== "" && withoutSpaces(text) === withoutSpaces(cell.text);
      return isSame ? { ...cell, text } : cell;
    }),
  );
}

const withoutSpaces = (text: string) => text.replace(/\s+/g, "");

function parseExact(text: string): ExactCells | null {
  try {
    const found = JSON.parse(text || "null") as ExactCells | null;
    return found && Array.isArray(found.types) && Array.isArray(found.rows) ? found : null;
  } catch {
    return null;
  }
}
