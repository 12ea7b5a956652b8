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
}

type CsvLimits = Pick<
  Limits,
  "IMPORT_FILE_MAX_BYTES" | "IMPORT_ROW_MAX_BYTES" | "IMPORT_MAX_COLUMNS" | "IMPORT_IDLE_TIMEOUT_MS"
>;

const REJECTED_BODY_FACTOR = 2;
/** Bytes parsed in one turn of the event loop: a few milliseconds, also if all of it is delimiters. */
const SLICE_BYTES = 8_192;
const PROBLEM_MAX_LENGTH = 200;
/** Quotation marks behind a space hold no delimiter: `"a, b"` there would be two cells, and the next ones shifted. */
const HALF_QUOTED = /^\s+"[^"]*$/;

/**
 * Reads CSV as it arrives (RFC 4180, with or without BOM; encoding and delimiter: decode-csv.ts) and never
 * holds more than a few rows. Invalid CSV, or a row that is too long or too wide, is refused with the line. The delimiter
 * that was given or found is passed on before the first row.
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
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    // `27"` is a text; only a quotation mark at the beginning of a cell begins a quoted one.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: limits.IMPORT_ROW_MAX_BYTES,
    // Called for each cell: the parser itself bounds the bytes of a row, without its delimiters.
    cast(cell, { column, lines, quoting }) {
      if (Number(column) >= limits.IMPORT_MAX_COLUMNS)
        throw tooManyColumns(lines, limits.IMPORT_MAX_COLUMNS);
      if (!quoting && HALF_QUOTED.test(cell)) throw halfQuoted(lines);
      isQuoted = quoting;
      return cell;
    },
    on_record: (row) => Object.assign(row, { isQuoted }),
  });
  const feeding = feed(chunks, parser, limits);
  let ofRecords = 0;
  try {
    for await (const row of parser as AsyncIterable<ParsedRow>) {
      // The parser's own number of the line counts each CR LF within quotes twice.
      const line = 1 + ofRecords + row.info.empty_lines;
      const { cells, ended } = row.isQuoted ? { cells: row.record, ended: "" } : parted(row, line);
      ofRecords += 1 + lineBreaksIn(cells) + ended.replaceAll("\r", "").length;
      // Spreadsheets write delimiters also for rows without a value.
      if (cells.some((cell) => cell.trim())) yield { line, cells };
    }
    await feeding;
  } catch (error) {
    throw asRefusal(error);
  } finally {
    parser.destroy();
  }
}

interface ParsedRow {
  record: string[];
  /** Whether the last cell has quotation marks. */
  isQuoted: boolean;
  info: { empty_lines: number };
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
  const [ended = ""] = /[\r\n]*$/.exec(written) ?? [];
  const last = written.slice(0, written.length - ended.length);
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
  const problem = "a space before a quotation mark";
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

function asRefusal(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const line = Number("lines" in error ? error.lines : 1);
  const problem = excerpt(error.message, PROBLEM_MAX_LENGTH);
  const explanation = explain("import.notCsv", { line, problem });
  return new Refusal("invalid_request", { in: "body", line }, explanation);
}
