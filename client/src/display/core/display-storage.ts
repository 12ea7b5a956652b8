import type { ShownWallboard, TileFrame } from "../../../../shared/protocol/frame.ts";
import type { Proof } from "../../../../shared/protocol/freshness.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import { type TextStorage, withStorage } from "../../transport/storage/browser-storage.ts";

/**
 * What a display stores for a restart without the server: its program, and the last values with their age. It contains
 * no secret: the credential is in an HttpOnly cookie.
 */

export interface CachedWallboard {
  board: ShownWallboard;
  tiles: Readonly<Record<string, TileFrame>>;
  proof: Proof;
}

interface StoredDisplay {
  program: DisplayProgram;
  boards: Record<string, CachedWallboard>;
}

const KEY = "watchfloor.display.1";
/** Browsers store about 5 MB; a larger wallboard is not stored. */
const MAX_CHARACTERS = 2_000_000;

export interface DisplayStorage {
  read(): StoredDisplay | null;
  write(stored: StoredDisplay): void;
  clear(): void;
}

/** Storage may be full, blocked or broken; the display then works without it. */
export function createDisplayStorage(storage: TextStorage | null): DisplayStorage {
  return {
    read() {
      try {
        const found = JSON.parse(storage?.getItem(KEY) ?? "null") as StoredDisplay | null;
        return found?.program?.id && found.boards ? found : null;
      } catch {
        return null;
      }
    },
    write(stored) {
      const text = JSON.stringify(stored);
      if (text.length <= MAX_CHARACTERS) withStorage(storage, (own) => own.setItem(KEY, text));
    },
    clear() {
      withStorage(storage, (own) => own.removeItem(KEY));
    },
  };
}
