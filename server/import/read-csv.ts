import { setImmediate as nextTurn } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { excerpt } from "../policy/parse-input.ts";
import { decodeCsv } from "./decode-csv.ts";

/** A record of the file with the number of its first line, as editors count. */
export interface CsvRow {
  line: number;
  cells: string[];
  /**
   * Its quotation marks don't show where its cells begin and end: the line, as it is written, is its only cell. Never the cells as they
   * could be read, which may belong to other columns.
   */
  isAmbiguous?: true;
}

type CsvLimits = Pick<
  Limits,
  "IMPORT_FILE_MAX_BYTES" | "IMPORT_ROW_MAX_BYTES" | "IMPORT_MAX_COLUMNS" | "IMPORT_IDLE_TIMEOUT_MS"
>;

const REJECTED_BODY_FACTOR = 2;
/** Bytes parsed in one turn of the event loop: a few milliseconds, also if all of it is delimiters; 25 if it is a thousand short rows. */
const SLICE_BYTES = 2_048;
const PROBLEM_MAX_LENGTH = 200;
/** What is held of rows until the one behind them is known, each with what it takes besides its text. */
const HELD_CHARACTERS = 65_536;
const ROW_CHARACTERS = 16;
/** Rows that show how many cells rows have, where the first one has more than they. */
const ROWS_SHOW_CELLS = 10;
/** Quotation marks behind a space hold no delimiter: `"a, b"` there would be two cells, and the next ones shifted. */
const HALF_QUOTED = /^\s+"[^"]*$/;
const CLOSES_QUOTES = /"\s*$/;
const QUOTATION_MARK = 0x22;
/** Of a cell without quotation marks around it: has half a pair of them, which another cell may have the other half of. */
const isHalf = (cell: string) => HALF_QUOTED.test(cell) || (cell.includes('""') && isOdd(cell));

/**
 * Reads CSV as it arrives (RFC 4180, with or without BOM; encoding and delimiter: decode-csv.ts) and never
 * holds more than a few rows. Invalid CSV, or a row that is too long or too wide, is refused with the line. The delimiter
 * that was given or found is passed on before the first row.
 *
 * A quotation mark too many is a text where it can't be anything else (`27"`). Where it may begin or end a cell, the cells of its row
 * are not known: the row is ambiguous, if it is certain where it ends, and the file is refused otherwise (`separated`). A row with fewer cells
 * than others may be a part of one: it is ambiguous, too, if it has half a pair of quotation marks or a cell that may be two, and so may be those
 * before it (`HeldRows`). What is valid CSV and has all its cells is never ambiguous.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  options: { delimiter?: string | undefined; encoding?: string | undefined },
  limits: CsvLimits,
  onDelimiter?: (delimiter: string) => void,
): AsyncGenerator<CsvRow> {
  const arrived = arriving(source, limits.IMPORT_IDLE_TIMEOUT_MS);
  const { delimiter, chunks } = await decodeCsv(arrived, options).catch((error: unknown) => {
    throw error instanceof Refusal ? error : brokenOff();
  });
  onDelimiter?.(delimiter);
  /** Whether the last cell that was read has quotation marks. */
  let isQuoted = false;
  /** Line breaks in the cells and rows that were read, also those that are not passed on yet. */
  let lineBreaks = 0;
  /** Whether a cell of the row may be read in two ways. */
  let isDoubtful = false;
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    raw: true,
    relax_column_count: true,
    // `27"` is a text; only a quotation mark at the beginning of a cell begins a quoted one.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: limits.IMPORT_ROW_MAX_BYTES,
    // Called for each cell: the parser itself bounds the bytes of a row, without its delimiters.
    cast(cell, { column, lines, quoting }) {
      if (column === 0) isDoubtful = false;
      if (Number(column) >= limits.IMPORT_MAX_COLUMNS)
        throw tooManyColumns(lines, limits.IMPORT_MAX_COLUMNS);
      if (quoting ? cell.startsWith('"') : cell.includes('"') && isHalf(cell)) isDoubtful = true;
      isQuoted = quoting;
      if (quoting) lineBreaks += lineBreaksIn([cell]);
      return cell;
    },
    on_record(row) {
      lineBreaks += 1;
      return Object.assign(row, { isQuoted, isDoubtful });
    },
  });
  const feeding = feed(chunks, parser, limits);
  const held = new HeldRows();
  let ofRecords = 0;
  let columns = 0;
  try {
    for await (const read of parser as AsyncIterable<ParsedRow>) {
      // The parser adds empty lines before it, and leaves out a part of a line end of two characters.
      const row = { ...read, raw: withoutLineEnds(read.raw) };
      // The parser's own number of the line counts each CR LF within quotes twice.
      const line = 1 + ofRecords + row.info.empty_lines;
      const known = row.isDoubtful ? await separated(row, { line, columns, delimiter }) : null;
      if (known) {
        ofRecords += 1 + lineBreaksIn([row.raw]);
        yield* held.release();
        for (const each of known) if (hasValue(each.cells)) yield each;
        continue;
      }
      const { cells, ended } = row.isQuoted ? { cells: row.record, ended: "" } : parted(row, line);
      ofRecords += 1 + lineBreaksIn(cells) + ended.replaceAll("\r", "").length;
      // Spreadsheets write delimiters also for rows without a value.
      if (!hasValue(cells)) continue;
      if (columns > 0) yield* held.add({ line, cells }, row, { line, columns, delimiter });
      else yield { line, cells };
      columns ||= cells.length;
    }
    yield* held.release();
    await feeding;
  } catch (error) {
    throw asRefusal(error, 1 + lineBreaks);
  } finally {
    parser.destroy();
  }
}

/** Whether it has an odd number of quotation marks. */
function isOdd(cell: string): boolean {
  let count = 0;
  for (let at = cell.indexOf('"'); at >= 0; at = cell.indexOf('"', at + 1)) count += 1;
  return count % 2 === 1;
}

const hasValue = (cells: readonly string[]) => cells.some((cell) => cell.trim());

interface ParsedRow {
  record: string[];
  /** As it is written. */
  raw: string;
  isDoubtful: boolean;
  /** Whether the last cell has quotation marks. */
  isQuoted: boolean;
  info: { empty_lines: number };
}

interface Place {
  line: number;
  /** How many the first row has; 0 before it. */
  columns: number;
  delimiter: string;
}

/**
 * The last rows of a file, until the next one shows whether they are lines of one text, whose first quotation mark is missing: the last row with
 * all its cells, and the shorter ones behind it.
 */
class HeldRows {
  #rows: HeldRow[] = [];
  #characters = 0;
  /** The most cells that a row had, and how many rows there were, without the first one, which names columns that perhaps no row has. */
  #known = { cells: 0, rows: 0 };

  /** Holds a row. Returns those before it that are certain now, or all as ambiguous ones. */
  add(row: CsvRow, parsed: ParsedRow, { columns, delimiter }: Place): CsvRow[] {
    const { cells, line } = row;
    const text = parsed.raw;
    const known = this.#known;
    const isShort =
      cells.length < (known.rows < ROWS_SHOW_CELLS ? columns : Math.min(columns, known.cells));
    if (isShort && text.includes('"')) {
      const isWritten = writtenCells(parsed);
      const isHalfAt = (cell: string, at: number) => isWritten[at] === true && isOdd(cell);
      if (cells.some((cell, at) => mayBeTwo(cell, delimiter) || isHalfAt(cell, at))) {
        const end = cells.findLastIndex(
          (cell, at) => isHalfAt(cell, at) && CLOSES_QUOTES.test(cell),
        );
        // A row with all its cells has none of those behind the mark.
        const isPart = end < 0 ? () => false : end === cells.length - 1 ? () => true : isShorter;
        return [...this.release(isPart), ambiguous(text, line)];
      }
    }
    this.#known = { cells: Math.max(known.cells, cells.length), rows: known.rows + 1 };
    const released = isShort && this.#characters < HELD_CHARACTERS ? [] : this.release();
    // A text within quotation marks has ended, so no later mark is its own.
    if (!isShort && parsed.isQuoted && !writtenCells(parsed).at(-1)) return [...released, row];
    this.#rows.push({ row, text, isShort });
    this.#characters += text.length + ROW_CHARACTERS;
    return released;
  }

  /** What is held no more; those that are parts of another row as ambiguous ones. */
  release(isPart: (held: HeldRow) => boolean = () => false): CsvRow[] {
    this.#characters = 0;
    const rows = this.#rows.splice(0);
    return rows.map((held) => (isPart(held) ? ambiguous(held.text, held.row.line) : held.row));
  }
}

interface HeldRow {
  row: CsvRow;
  text: string;
  isShort: boolean;
}
const isShorter = ({ isShort }: HeldRow) => isShort;

/** Of a cell within quotation marks: the marks between two cells may be at another place, or missing. */
function mayBeTwo(cell: string, delimiter: string): boolean {
  return (
    cell.startsWith(delimiter) ||
    cell.endsWith(delimiter) ||
    (cell.includes(delimiter) && cell.includes('"'))
  );
}

/** Which cells are not within quotation marks: they are in the file as they were read. Takes linear time. */
function writtenCells({ record, raw }: ParsedRow): boolean[] {
  let at = 0;
  return record.map((cell) => {
    const end = endOfQuoted(cell, raw, at);
    // The delimiter follows.
    at = 1 + (end < 0 ? at + cell.length : end);
    return end < 0;
  });
}

/** Where a cell ends that begins at a place and is within quotation marks; -1 if it is not. Makes no text, which takes long with a million marks. */
function endOfQuoted(cell: string, raw: string, begin: number): number {
  if (raw[begin] !== '"') return -1;
  let at = begin + 1;
  for (let index = 0; index < cell.length; index += 1, at += 1) {
    const sign = cell.charCodeAt(index);
    if (sign === QUOTATION_MARK && raw.charCodeAt(at++) !== sign) return -1;
    if (raw.charCodeAt(at) !== sign) return -1;
  }
  return raw[at] === '"' ? at + 1 : -1;
}

/**
 * The rows of a row that may be read in two ways: it is ambiguous, and perhaps has swallowed others. Null if it is as it was read. Refuses
 * the file where its end is not certain, or nothing is known of its columns. Its end is certain where its text has no line break, unless a mark
 * behind a space is not closed in it; and where the first line has as many cells as the first row of the file while all that the parser took for
 * a part of its text is rows of that many cells, too.
 */
async function separated(row: ParsedRow, place: Place): Promise<CsvRow[] | null> {
  const { record, raw } = row;
  const { line, columns, delimiter } = place;
  const isWritten = writtenCells(row);
  const written = record.filter((_, at) => isWritten[at]);
  const begun = written.filter((cell) => cell.startsWith('"'));
  if (begun.some((cell) => /[\r\n]/.test(cell))) {
    const [first = ""] = raw.split(/\r\n|\n|\r/, 1);
    const others = await rowsBehind(raw.slice(first.length), place);
    if (first.split(delimiter).length !== columns || !others) throw notClosed(line);
    return [ambiguous(first, line), ...others];
  }
  const isOpen = (cell: string) =>
    HALF_QUOTED.test(cell) || (cell.startsWith('"') && !CLOSES_QUOTES.test(cell));
  const open = record.findLastIndex((cell, at) => isWritten[at] && isOpen(cell));
  const isClosed = open >= 0 && record.some((cell, at) => at > open && CLOSES_QUOTES.test(cell));
  const hasSpace = written.some((cell) => HALF_QUOTED.test(cell));
  if (hasSpace && (!isClosed || columns === 0)) throw halfQuoted(line);
  const isUnclear =
    isClosed ||
    begun.some((cell) => cell.includes(delimiter) || isOdd(cell)) ||
    written.some(isHalf);
  if (isUnclear && columns === 0) throw notClosed(line);
  return isUnclear ? [ambiguous(raw, line)] : null;
}

const ambiguous = (text: string, line: number): CsvRow => ({
  ...{ line, cells: [text] },
  isAmbiguous: true,
});

/** The rows of a text that has a doubtful one before it, by the strict rules; null where one has not as many cells as the first row of the file. */
async function rowsBehind(text: string, place: Place): Promise<CsvRow[] | null> {
  const { line, columns, delimiter } = place;
  const options = { delimiter, relax_column_count: true, skip_empty_lines: true, info: true };
  const parser = parse(options);
  const feeding = parseInSlices(Buffer.from(text), parser).then(() => {
    if (!parser.destroyed) parser.end();
  });
  const rows: CsvRow[] = [];
  let ofRecords = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
      if (record.length !== columns) return null;
      rows.push({ line: line + ofRecords + info.empty_lines, cells: record });
      ofRecords += 1 + lineBreaksIn(record);
    }
    await feeding;
    return rows;
  } catch {
    return null;
  }
}

/** Where the line breaks at the end of a text begin. A regular expression would take quadratic time over others before them. */
function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end -= 1;
  return end;
}

function withoutLineEnds(raw: string): string {
  return raw.slice(raw.search(/[^\r\n]/), endOfText(raw));
}

function lineBreaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

/**
 * A row whose last cell has no quotation marks, and the line ends that the cell had. The parser ends lines as the first one
 * ends. In a file with several kinds of line ends, one of another kind remains at the end of a cell; one in its middle may
 * have ended a row, so the file is refused.
 */
function parted({ record }: ParsedRow, line: number): { cells: string[]; ended: string } {
  const written = record.at(-1) ?? "";
  const end = endOfText(written);
  const [last, ended] = [written.slice(0, end), written.slice(end)];
  if (/[\r\n]/.test(last)) {
    throw new Refusal(
      "invalid_request",
      { in: "body", line },
      explain("import.lineEnds", { line }),
    );
  }
  return { cells: ended === "" ? record : [...record.slice(0, -1), last], ended };
}

/**
 * Never rejects: failures reach the reader through the parser. The rest of a refused upload is still read,
 * within bounds, because a sender that is cut off sees a broken connection and not the answer.
 */
async function feed(
  chunks: AsyncIterable<Uint8Array>,
  parser: ReturnType<typeof parse>,
  { IMPORT_FILE_MAX_BYTES: maxBytes }: CsvLimits,
): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes * REJECTED_BODY_FACTOR) return;
      if (bytes > maxBytes) {
        parser.destroy(new Refusal("too_large", { limit: maxBytes, unit: "bytes" }));
      }
      await parseInSlices(chunk, parser);
    }
    if (!parser.destroyed) parser.end();
  } catch (error) {
    parser.destroy(error instanceof Refusal ? error : brokenOff());
  }
}

/** Yields between two slices. */
async function parseInSlices(chunk: Uint8Array, parser: ReturnType<typeof parse>): Promise<void> {
  for (let at = 0; at < chunk.byteLength && !parser.destroyed; at += SLICE_BYTES) {
    if (!parser.write(chunk.subarray(at, at + SLICE_BYTES))) await drained(parser);
    await nextTurn();
  }
}

/** The chunks of an upload; rejects if none arrives for too long. Time spent on a chunk does not count. */
async function* arriving(
  source: AsyncIterable<Uint8Array>,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const idle = Promise.withResolvers<never>();
    const timer = setTimeout(() => idle.reject(stalled(idleMs)), idleMs);
    const next = await Promise.race([chunks.next(), idle.promise]).finally(() =>
      clearTimeout(timer),
    );
    if (next.done) return;
    yield next.value;
  }
}

function stalled(idleMs: number): Refusal {
  const explanation = explain("import.stalled", { seconds: idleMs / 1_000 });
  return new Refusal("invalid_request", { in: "body" }, explanation);
}

function tooManyColumns(line: number, limit: number): Refusal {
  const detail = { limit, unit: "columns", line };
  return new Refusal("too_large", detail, explain("import.tooManyColumns", { line, limit }));
}

function halfQuoted(line: number): Refusal {
  return notCsv(line, "a space before a quotation mark");
}

function notClosed(line: number): Refusal {
  return notCsv(line, "a quotation mark that is not closed");
}

function notCsv(line: number, problem: string): Refusal {
  const explanation = explain("import.notCsv", { line, problem });
  return new Refusal("invalid_request", { in: "body", line }, explanation);
}

/** The sender disconnected: what was written so far stays, and the import may be repeated. */
function brokenOff(): Refusal {
  return new Refusal("invalid_request", { in: "body" }, explain("import.brokenOff"));
}

function drained(parser: ReturnType<typeof parse>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      parser.off("drain", go);
      parser.off("close", go);
      resolve();
    };
    parser.once("drain", go);
    parser.once("close", go);
  });
}

/** The line is that on which a cell began that the parser found no end of. Its own number is that of where it gave up. */
function asRefusal(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  const begun = line + Number("empty_lines" in error ? error.empty_lines : 0);
  return error.code === "CSV_QUOTE_NOT_CLOSED"
    ? notClosed(begun)
    : notCsv(begun, excerpt(error.message.replace(/ at line \d+/, ""), PROBLEM_MAX_LENGTH));
}
