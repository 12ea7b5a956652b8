import { open } from "node:fs/promises";
import { join } from "node:path";

/**
 * Appends lines to today's file (UTC) in the archive of the change log, `changes-2026-11-23.jsonl`, readable by the
 * server's user alone, and returns when they are on disk. What a full disk left of an earlier attempt becomes a line
 * of its own, so that the lines after it can be read.
 */
export async function appendToArchive(folder: string, lines: readonly string[]): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const file = await open(join(folder, `changes-${day}.jsonl`), "a+", 0o600);
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    const head = size > 0 && last.toString() !== "\n" ? "\n" : "";
    await file.appendFile(`${head}${lines.join("\n")}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
