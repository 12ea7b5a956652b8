import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "../../shared/protocol/errors.ts";

const CHUNK_BYTES = 262_144;

/**
 * Reads all texts into a temporary file before it yields them: what reads them from the database ends as soon as it
 * can, however slowly somebody downloads. The file has no name, so nothing is left of it after a crash. Reads no
 * further once `isWanted` is false. Refuses with `too_large` what takes more than `maxBytes`, before anything is yielded: downloads
 * must not fill the disk.
 */
export async function* spooled(
  texts: AsyncIterable<string>,
  { isWanted, maxBytes }: { isWanted: () => boolean; maxBytes: number },
): AsyncGenerator<Uint8Array> {
  const path = join(tmpdir(), `watchfloor-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  try {
    await unlink(path);
    let size = 0;
    for await (const text of texts) {
      if (!isWanted()) return;
      size += Buffer.byteLength(text);
      if (size > maxBytes) {
        throw new Refusal("too_large", { limit: maxBytes, size, unit: "bytes" });
      }
      // Unlike `write` it writes the whole text, or fails.
      await file.appendFile(text);
    }
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
