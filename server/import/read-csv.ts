import { parse } from "csv-parse";
import { Refusal } from "../../shared/protocol/errors.ts";

/** A record of the file with the line it begins on, as an editor counts them. */
export interface CsvRow {
  line: number;
  cells: string[];
}

export interface CsvLimits {
  maxBytes: number;
}

/** A single row longer than this is a quote that was never closed. */
const ROW_MAX_BYTES = 2_097_152;
const HEARD_OUT_FACTOR = 2;

/**
 * Reads CSV as it arrives (UTF-8, RFC 4180, with or without BOM) and never holds more than a few
 * rows. What is no CSV, or longer than allowed, is refused with the line.
 */
export async function* readCsv(
  source: AsyncIterable<Uint8Array>,
  { delimiter }: { delimiter: string },
  limits: CsvLimits,
): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_MAX_BYTES,
  });
  const feeding = feed(source, parser, limits);
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
      yield { line: info.lines - lineBreaksIn(record), cells: record };
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
  info: { lines: number };
}

function lineBreaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

/**
 * Never rejects: failures reach the reader through the parser. Whoever is refused is heard out all the
 * same, within reason, because a sender that is cut off sees a broken line and not the answer.
 */
async function feed(
  source: AsyncIterable<Uint8Array>,
  parser: ReturnType<typeof parse>,
  { maxBytes }: CsvLimits,
): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes * HEARD_OUT_FACTOR) return;
      if (bytes > maxBytes) {
        parser.destroy(new Refusal("too_large", { limit: maxBytes, unit: "bytes" }));
      }
      if (!parser.destroyed && !parser.write(chunk)) await drained(parser);
    }
    if (!parser.destroyed) parser.end();
  } catch {
    parser.destroy(brokenOff());
  }
}

/** Whoever sent the file went away: what was written so far stays, and the import may be repeated. */
function brokenOff(): Refusal {
  return new Refusal("invalid_request", { in: "body" }, "The file broke off.");
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
  if (!(error instanceof Error) || !("code" in error) || !("lines" in error)) return error;
  if (!String(error.code).startsWith("CSV_")) return error;
  const line = Number(error.lines);
  const message = `Line ${line} is not CSV: ${error.message}.`;
  return new Refusal("invalid_request", { in: "body", line }, message);
}
