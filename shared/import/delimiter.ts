import { readSample } from "./read-sample.ts";

/** The delimiters that are recognised in a file; where several fit equally, the one that texts contain least often. */
const delimiters = ["\t", ";", "|", ","] as const;

/** The beginning by which the delimiter is found. */
const SAMPLE_ROWS = 50;
const SAMPLE_CHARACTERS = 65_536;

/** A first line by which spreadsheets name the delimiter. It is no row. */
const namedDelimiter = /^(\u{FEFF}?)"?sep=([,;\t|:^~])"?(?=\r?\n)/iu;

/**
 * The delimiter of a file by its beginning: what its first line names (`sep=;`), or the one by which most rows have as many cells as the
 * first. The first line alone does not say: `Name, first;Amount` has one of each.
 */
export function detectDelimiter(text: string): string {
  const named = namedDelimiter.exec(text)?.[2];
  if (named !== undefined) return named;
  const beginning = text.replace(/^[\r\n]+/, "").slice(0, SAMPLE_CHARACTERS);
  const found = delimiters.map((delimiter) => {
    const rows = readSample(beginning, { delimiter, maxRows: SAMPLE_ROWS });
    // The last row may be cut off.
    const whole = rows.length > 2 ? rows.slice(0, -1) : rows;
    const width = whole[0]?.length ?? 1;
    const fitting = whole.filter(({ length }) => length === width).length;
    return { delimiter, width, share: fitting / Math.max(whole.length, 1) };
  });
  const [best] = found
    .filter(({ width }) => width > 1)
    .sort((a, b) => b.share - a.share || b.width - a.width);
  return best?.delimiter ?? ",";
}

/** The text with an empty line in place of one that names the delimiter, so that lines keep their numbers. */
export function withoutNamedDelimiter(text: string): string {
  return text.replace(namedDelimiter, "$1");
}
