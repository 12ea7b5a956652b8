import { decimalToShortText, toDecimal } from "../../../../../shared/filter/decimal.ts";
import type { PastedCell } from "./clipboard-cells.ts";

/** A tag with its attributes, or a text. */
type Token = { tag: string; isEnd: boolean; attributes: string } | { text: string };

/** Larger tables are read from the text on the clipboard. */
const MAX_CELLS = 1_000_000;

/**
 * The cells of the table that Excel, Google Sheets or LibreOffice put on the clipboard as HTML; null if there is no table,
 * more than one, or a character by a name that is not known here. Merged cells give their text to the first cell and leave the others empty. Nothing of the HTML is
 * ever rendered.
 */
export function tableOf(html: string): PastedCell[][] | null {
  const tables = html.match(/<table\b/gi)?.length ?? 0;
  if (UNKNOWN_ENTITY.test(html)) return null;
  return tables === 1 ? new TableReader().read(tokensOf(html)) : null;
}

interface OpenCell {
  attributes: string;
  text: string;
}

class TableReader {
  readonly #rows: PastedCell[][] = [];
  /** Rows that merged cells above still cover, by column. */
  #covered: number[] = [];
  #row: PastedCell[] = [];
  #cell: OpenCell | null = null;
  #isInTable = false;
  #count = 0;

  read(tokens: Iterable<Token>): PastedCell[][] | null {
    for (const token of tokens) {
      if ("text" in token) {
        if (this.#cell) this.#cell.text += token.text;
      } else this.#onTag(token);
      if (this.#count > MAX_CELLS) return null;
    }
    this.#endRow();
    const width = this.#rows.reduce((widest, { length }) => Math.max(widest, length), 0);
    if (width * this.#rows.length > MAX_CELLS) return null;
    for (const row of this.#rows) while (row.length < width) row.push({ text: "" });
    return width > 0 ? this.#rows : null;
  }

  #onTag({ tag, isEnd, attributes }: Exclude<Token, { text: string }>): void {
    if (tag === "table") {
      if (isEnd) this.#endRow();
      this.#isInTable = !isEnd;
    } else if (!this.#isInTable) return;
    else if (tag === "tr") this.#endRow();
    else if (tag === "td" || tag === "th") {
      this.#endCell();
      if (!isEnd) this.#cell = { attributes, text: "" };
    } else if (this.#cell && (tag === "br" || (BLOCKS.has(tag) && !isEnd && hasText(this.#cell)))) {
      this.#cell.text += LINE_BREAK;
    }
  }

  #endCell(): void {
    if (!this.#cell) return;
    const { attributes } = this.#cell;
    const cell = { text: cleanText(this.#cell.text), ...numberOf(this.#cell) };
    this.#cell = null;
    this.#skipCovered();
    const [columns, rows] = [span(attributes, "colspan"), span(attributes, "rowspan")];
    for (let index = 0; index < columns; index += 1) {
      this.#covered[this.#row.length] = rows - 1;
      this.#push(index === 0 ? cell : { text: "" });
    }
  }

  /** Fills the columns that are covered by merged cells of the rows above. */
  #skipCovered(): void {
    for (;;) {
      const left = this.#covered[this.#row.length] ?? 0;
      if (left === 0) return;
      this.#covered[this.#row.length] = left - 1;
      this.#push({ text: "" });
    }
  }

  #push(cell: PastedCell): void {
    this.#row.push(cell);
    this.#count += 1;
  }

  #endRow(): void {
    this.#endCell();
    if (this.#row.length > 0) {
      this.#skipCovered();
      this.#rows.push(this.#row);
    }
    this.#row = [];
  }
}

/** What begins a line of its own: Word, Pages and Outlook put the text of each cell into one, after a line break of the HTML itself. */
const BLOCKS: ReadonlySet<string> = new Set(["p", "div", "li"]);

const hasText = ({ text }: OpenCell) => /[^ \t\r\n\f]/.test(text);

/** Marks a line break until white space is collapsed; it can't be in HTML. */
const LINE_BREAK = "\0";

function cleanText(text: string): string {
  return text
    .replace(/[ \t\r\n\f]+/g, " ")
    .replace(/ ?\0 ?/g, "\n")
    .replace(/\u00a0/g, " ")
    .replace(/^ +|(?<! ) +$/g, "");
}

/** A number with a point. Small and large ones have an exponent. */
const NUMBER = /^-?\d+(\.\d+)?(e[-+]?\d{1,3})?$/i;

/** The number behind the text: Excel's `x:num`, LibreOffice's `sdval`, Google's `data-sheets-value`. */
function numberOf({ attributes, text }: OpenCell): { number?: string } {
  const sheets = attributeOf(attributes, "data-sheets-value");
  const found =
    attributeOf(attributes, "x:num") ??
    attributeOf(attributes, "sdval") ??
    (sheets === null ? null : (/"3":(-?[\d.]+(?:[eE][-+]?\d+)?)/.exec(sheets)?.[1] ?? null));
  // Excel leaves the value out where the text is the number.
  const number = found === "" ? cleanText(text) : found;
  if (number === null || !NUMBER.test(number)) return {};
  const exact = /e/i.test(number) ? toDecimal(number) : null;
  return { number: exact ? decimalToShortText(exact) : number };
}

function span(attributes: string, name: string): number {
  const found = Number(attributeOf(attributes, name) ?? 1);
  return Number.isInteger(found) && found > 1 ? Math.min(found, 1_000) : 1;
}

/** The value of an attribute: "" where it has none, null where it is absent. */
function attributeOf(attributes: string, name: string): string | null {
  const pattern = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  for (const [, key = "", double, single, bare] of attributes.matchAll(pattern)) {
    if (key.toLowerCase() === name) return decode(double ?? single ?? bare ?? "");
  }
  return null;
}

/**
 * Comments, styles and scripts are left out. What is not closed reaches to the end: each alternative is tried once, so
 * that reading takes linear time.
 */
const TOKEN =
  /<!--[\s\S]*?(?:-->|$)|<(style|script|xml)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-z][\w:-]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^>"']+)*)(?:>|$)|<[!?][^>]*(?:>|$)|[^<]+|</gi;

function* tokensOf(html: string): Iterable<Token> {
  for (const [whole, , end, tag, attributes] of html.matchAll(TOKEN)) {
    if (tag !== undefined) {
      yield { tag: tag.toLowerCase(), isEnd: end === "/", attributes: attributes ?? "" };
    } else if (!whole.startsWith("<") || whole === "<") yield { text: decode(whole) };
  }
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

const UNKNOWN_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|nbsp);)[a-z]\w*;/i;

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
