import type { EditStorage, StoredMutation } from "../../client/src/transport/edit-storage.ts";
import { createMemoryEditStorage } from "../../client/src/transport/memory-edit-storage.ts";

/**
 * A browser's storage that deletes nothing: every mutation that was ever made, whatever its outcome, so that
 * each can be checked in the end. Survives the reloads of its player.
 */
export class MutationRecorder implements EditStorage {
  readonly made = new Map<string, StoredMutation>();
  readonly #storage = createMemoryEditStorage();

  load(user: string): Promise<StoredMutation[]> {
    return this.#storage.load(user);
  }

  putAll(mutations: readonly StoredMutation[]): Promise<void> {
    for (const mutation of mutations) {
      if (!this.made.has(mutation.id)) this.made.set(mutation.id, structuredClone(mutation));
    }
    return this.#storage.putAll(mutations);
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#storage.remove(ids);
  }
}
