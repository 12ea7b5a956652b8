/** The part of a file by which its format is detected. */
const SAMPLE_BYTES = 262_144;

/** A file with its beginning and the encoding that its bytes suggest. */
export interface FileSample {
  file: File;
  bytes: Uint8Array;
  encoding: string;
}

/** The encodings that can be chosen; the first is what most programs write. */
export const encodings = ["utf-8", "windows-1252", "utf-16le", "utf-16be", "iso-8859-2"] as const;

/** How a workbook of a spreadsheet begins: a ZIP archive, or a file of an older Excel. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Whether a file is a workbook, which no encoding makes a text. */
export function isWorkbook({ bytes }: Pick<FileSample, "bytes">): boolean {
  return workbooks.some((signature) => signature.every((byte, at) => bytes[at] === byte));
}

/** Reads the beginning of a file, and as much of it as is needed to find its encoding. */
export async function sampleOf(file: File): Promise<FileSample> {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  return { file, bytes, encoding: await encodingOf(file, bytes) };
}

/** The text of the sample. A character that is cut at its end is left out with its row. */
export function textOf({ file, bytes }: FileSample, encoding: string): string {
  const text = new TextDecoder(encoding).decode(bytes);
  return file.size > bytes.length ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
}

/** A byte order mark, else UTF-8 if the whole file is, else what Western programs on Windows write. */
async function encodingOf(file: File, [first, second]: Uint8Array): Promise<string> {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return (await isUtf8(file)) ? "utf-8" : "windows-1252";
}

async function isUtf8(file: File): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = file.stream().getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      decoder.decode(next.value, { stream: true });
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
