import { isUtf8 } from "node:buffer";
import { detectDelimiter, withoutNamedDelimiter } from "../../shared/import/delimiter.ts";

/**
 * Marks bytes in a text that were not characters: a code point that no text may contain. The row is refused
 * (read-row.ts), where the usual replacement character would be stored silently.
 */
export const UNREADABLE = "\u{FDD0}";

/** The part of a file by which its delimiter is found. */
const BEGINNING_BYTES = 65_536;
const BEGINNING_LINES = 100;

/** The text of a file as UTF-8, and the delimiter of its cells. */
interface DecodedCsv {
  chunks: AsyncIterable<Uint8Array>;
  delimiter: string;
}

/**
 * Decodes a file as it arrives. UTF-8 is assumed, or what a byte order mark says; any other encoding must be
 * given, because a guess would store wrong characters. The delimiter is found by the first rows where none is given; a first line
 * that only names it is left empty.
 */
export async function decodeCsv(
  source: AsyncIterable<Uint8Array>,
  { delimiter, encoding }: { delimiter?: string | undefined; encoding?: string | undefined },
): Promise<DecodedCsv> {
  const chunks = decoded(source, encoding)[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  for (let [bytes, lines] = [0, 0]; bytes < BEGINNING_BYTES && lines < BEGINNING_LINES; ) {
    const next = await chunks.next();
    if (next.done) break;
    read.push(next.value);
    bytes += next.value.byteLength;
    lines +=
      Buffer.from(next.value)
        .toString("latin1")
        .match(/[^\r\n][\r\n]/g)?.length ?? 0;
  }
  const beginning = Buffer.concat(read).toString();
  return {
    delimiter: delimiter ?? detectDelimiter(beginning),
    chunks: (async function* () {
      yield Buffer.from(withoutNamedDelimiter(beginning));
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    })(),
  };
}

async function* decoded(
  source: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<Uint8Array> {
  let label = encoding?.toLowerCase();
  let other: InstanceType<typeof TextDecoder> | null = null;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = Buffer.concat([rest, chunk]);
    if (label === undefined && bytes.length < 2) {
      rest = bytes;
      continue;
    }
    label ??= encodingOfMark(bytes);
    if (label !== "utf-8" && label !== "utf8") {
      other ??= new TextDecoder(label);
      rest = Buffer.alloc(0);
      yield marked(other.decode(bytes, { stream: true }));
    } else {
      const whole = wholeCharacters(bytes);
      rest = bytes.subarray(whole);
      yield utf8(bytes.subarray(0, whole));
    }
  }
  yield other ? marked(other.decode()) : utf8(rest);
}

function encodingOfMark([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function utf8(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : marked(bytes.toString());
}

function marked(text: string): Buffer {
  return Buffer.from(text.replaceAll("\u{FFFD}", UNREADABLE));
}

/** How many of the bytes are complete characters of UTF-8: the last one may continue in the next chunk. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
