import type { TextStorage } from "../transport/text-storage.ts";

/** Reads or writes. Returns false if the storage fails or there is none: what was to be stored stays in memory. */
export function withStorage(
  storage: TextStorage | null,
  run: (storage: TextStorage) => void,
): boolean {
  try {
    if (storage) run(storage);
    return storage !== null;
  } catch {
    return false;
  }
}
