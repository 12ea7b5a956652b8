import type { EditStorage, StoredMutation } from "./edit-storage.ts";

/** Keeps edits for as long as the object lives: for bots, benches and tests. */
export function createMemoryEditStorage(): EditStorage {
  const stored = new Map<string, StoredMutation>();
  return {
    async load(user) {
      const found = [...stored.values()].filter((mutation) => mutation.user === user);
      return structuredClone(found.sort((a, b) => a.order - b.order));
    },
    async putAll(mutations) {
      for (const mutation of mutations) stored.set(mutation.id, structuredClone(mutation));
    },
    async remove(ids) {
      for (const id of ids) stored.delete(id);
    },
  };
}
