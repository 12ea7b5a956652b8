import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { BackupError } from "./backup-error.ts";
import { type BackupContent, FORMAT, type Manifest, manifestSchema } from "./manifest.ts";

/** A part of a backup, in the order of the file (backup-writer.ts). */
export type Part =
  | { kind: "manifest"; manifest: Manifest }
  | { kind: "rows"; table: number; bytes: Buffer }
  | { kind: "tableEnd"; table: number; rows: number };

/** Of the manifest: the largest model that can be published has a tenth of it. */
const LINE_MAX_BYTES = 33_554_432;
const NEWLINE = 10;
const CHUNK_BYTES = 131_072;

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8]);

const lineSchema = z.union([
  z.strictObject({ bytes: z.int().min(1) }),
  z.strictObject({ rows: z.int().min(0) }),
  z.strictObject({ sha256: z.string() }),
]);

const damaged = (file: string) => new BackupError(`${file} is damaged: it can't be restored.`);
const incomplete = (file: string) =>
  new BackupError(`${file} is incomplete: it ends before its end. It can't be restored.`);
const foreign = (file: string) => new BackupError(`${file} is not a backup of Watchfloor.`);

/**
 * Reads a backup in constant memory. Throws a BackupError as soon as something is wrong: a caller must not
 * rely on any part before the last one was read, because the digest is at the end.
 */
export async function* readBackup(file: string): AsyncGenerator<Part> {
  await requireHeader(file);
  const source = createReadStream(file);
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  source.on("error", (error) => unpacked.destroy(error));
  const bytes = new ByteReader(source.pipe(unpacked));
  try {
    yield* readParts(file, bytes);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") throw incomplete(file);
    throw code.startsWith("Z_") ? damaged(file) : error;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

/** Reads all of a backup without using it. */
export async function verifyBackup(file: string): Promise<BackupContent> {
  let manifest: Manifest | null = null;
  const rows: number[] = [];
  for await (const part of readBackup(file)) {
    if (part.kind === "manifest") manifest = part.manifest;
    if (part.kind === "tableEnd") rows.push(part.rows);
  }
  if (!manifest) throw damaged(file);
  return { manifest, rows };
}

async function requireHeader(file: string): Promise<void> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${file} can't be read (${error.code}).`);
  });
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(GZIP_HEADER.length));
    if (bytesRead === 0) throw new BackupError(`${file} is empty.`);
    if (!buffer.equals(GZIP_HEADER)) throw foreign(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "EISDIR" ? new BackupError(`${file} is a folder.`) : error;
  } finally {
    await handle.close();
  }
}

async function* readParts(file: string, bytes: ByteReader): AsyncGenerator<Part> {
  const manifest = await readManifest(file, bytes);
  yield { kind: "manifest", manifest };
  for (let table = 0; ; ) {
    const before = bytes.digest();
    const line = lineSchema.safeParse(parseLine(await bytes.line())).data;
    if (line === undefined) throw (await bytes.isAtEnd()) ? incomplete(file) : damaged(file);
    const isLast = table === manifest.tables.length;
    if ("sha256" in line) {
      if (!isLast || line.sha256 !== before || !(await bytes.isAtEnd())) throw damaged(file);
      return;
    }
    if (isLast) throw damaged(file);
    if ("rows" in line) {
      yield { kind: "tableEnd", table, rows: line.rows };
      table += 1;
      continue;
    }
    for await (const piece of bytes.take(line.bytes)) yield { kind: "rows", table, bytes: piece };
  }
}

async function readManifest(file: string, bytes: ByteReader): Promise<Manifest> {
  const found = parseLine(await bytes.line());
  const { watchfloor } = z
    .object({ watchfloor: z.looseObject({ format: z.int() }) })
    .safeParse(found).data ?? { watchfloor: null };
  if (!watchfloor) throw foreign(file);
  if (watchfloor.format > FORMAT) throw newer(file, String(watchfloor.version));
  const manifest = manifestSchema.safeParse(watchfloor);
  if (!manifest.success) throw damaged(file);
  return manifest.data;
}

/** A file of a newer product, which this one can't read or whose schema it doesn't know. */
export const newer = (file: string, version: string) =>
  new BackupError(
    `${file} was written by a newer Watchfloor (${version.slice(0, 40)}): restore it with that version.`,
  );

function parseLine(line: Buffer | null): unknown {
  try {
    return line === null ? undefined : JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Lines and runs of bytes of a stream, with the digest of what was read. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  readonly #digest = createHash("sha256");
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Of everything read so far. */
  digest(): string {
    return this.#digest.copy().digest("hex");
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#fill());
  }

  /** Null if the stream ends before the line does, or the line is longer than any of ours. */
  async line(): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for (let length = 0; length <= LINE_MAX_BYTES; length += parts.at(-1)?.length ?? 0) {
      if (this.#rest.length === 0 && !(await this.#fill())) return null;
      const end = this.#rest.indexOf(NEWLINE);
      parts.push(this.#consume(end < 0 ? this.#rest.length : end + 1));
      if (end >= 0) return Buffer.concat(parts);
    }
    return null;
  }

  /** Fewer bytes if the stream ends: the next line is missing then. */
  async *take(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#fill())) return;
      const piece = this.#consume(Math.min(left, this.#rest.length));
      left -= piece.length;
      yield piece;
    }
  }

  #consume(count: number): Buffer {
    const piece = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    this.#digest.update(piece);
    return piece;
  }

  async #fill(): Promise<boolean> {
    const next = await this.#source.next();
    this.#rest = next.done ? Buffer.alloc(0) : next.value;
    return !next.done;
  }
}
