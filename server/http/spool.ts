import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CHUNK_BYTES = 262_144;

/**
 * Yields texts as bytes, the first at once, and reads ahead of whoever takes them: into a temporary file, so that what reads them from
 * the database ends as soon as it can, however slowly somebody downloads. The file holds what was not taken yet, at most `maxBytes`;
 * reading waits while it is full, for downloads must not fill the disk. It has no name, so nothing is left of it after a crash. Reads no
 * further once `isWanted` is false.
 */
export async function* spooled(
  texts: AsyncIterable<string>,
  { isWanted, maxBytes }: { isWanted: () => boolean; maxBytes: number },
): AsyncGenerator<Uint8Array> {
  const path = join(tmpdir(), `watchfloor-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  try {
    await unlink(path);
    const spool = new Spool(file, maxBytes);
    const reading = spool.fill(texts, isWanted);
    try {
      for (let chunk = await spool.take(); chunk; chunk = await spool.take()) yield chunk;
    } finally {
      spool.end();
      await reading;
    }
  } finally {
    await file.close();
  }
}

/** A file of bounded size that one side fills while the other takes from it: its places are used again and again. */
class Spool {
  readonly #file: FileHandle;
  readonly #maxBytes: number;
  /** Bytes that were written and taken since the file was last empty. */
  #written = 0;
  #taken = 0;
  #isEnded = false;
  #failure: { error: unknown } | null = null;
  #changed = Promise.withResolvers<void>();

  constructor(file: FileHandle, maxBytes: number) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  /** Writes all texts; a failure is thrown by `take`, behind what was written before. */
  async fill(texts: AsyncIterable<string>, isWanted: () => boolean): Promise<void> {
    try {
      for await (const text of texts) {
        if (!isWanted()) return;
        await this.#write(Buffer.from(text));
        if (this.#isEnded) return;
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.end();
    }
  }

  /** The next bytes; null behind the last. */
  async take(): Promise<Uint8Array | null> {
    while (this.#taken === this.#written) {
      if (this.#failure) throw this.#failure.error;
      if (this.#isEnded) return null;
      await this.#changed.promise;
    }
    const place = this.#taken % this.#maxBytes;
    const unread = this.#written - this.#taken;
    const length = Math.min(unread, this.#maxBytes - place, CHUNK_BYTES);
    const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(length), 0, length, place);
    this.#taken += bytesRead;
    this.#notify();
    return buffer.subarray(0, bytesRead);
  }

  /** Nothing more is written. */
  end(): void {
    this.#isEnded = true;
    this.#notify();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#isEnded; ) {
      // The file of somebody who takes it as fast as it is filled stays small.
      if (this.#taken === this.#written) [this.#taken, this.#written] = [0, 0];
      const free = this.#maxBytes - (this.#written - this.#taken);
      const place = this.#written % this.#maxBytes;
      const length = Math.min(free, this.#maxBytes - place, bytes.length - at);
      if (length === 0) await this.#changed.promise;
      else {
        const { bytesWritten } = await this.#file.write(bytes, at, length, place);
        this.#written += bytesWritten;
        at += bytesWritten;
        this.#notify();
      }
    }
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
