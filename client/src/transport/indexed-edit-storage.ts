import type { EditStorage, StoredMutation } from "./edit-storage.ts";

const DATABASE = "watchfloor";
const STORE = "edits";
const BY_USER = "user";
const VERSION = 1;

/**
 * Keeps edits in IndexedDB, so that they survive the page and the browser. One database for all users
 * of the browser; each asks for their own only.
 */
export function createIndexedEditStorage(name = DATABASE): EditStorage {
  const opened = open(name);
  return {
    async load(user) {
      const store = await transaction(opened, "readonly");
      const found = request<StoredMutation[]>(store.index(BY_USER).getAll(user));
      return (await found).sort((a, b) => a.order - b.order);
    },
    async putAll(mutations) {
      const store = await transaction(opened, "readwrite");
      for (const mutation of mutations) store.put(mutation);
      await committed(store.transaction);
    },
    async remove(ids) {
      const store = await transaction(opened, "readwrite");
      for (const id of ids) store.delete(id);
      await committed(store.transaction);
    },
  };
}

async function transaction(
  opened: Promise<IDBDatabase>,
  mode: IDBTransactionMode,
): Promise<IDBObjectStore> {
  return (await opened).transaction(STORE, mode).objectStore(STORE);
}

function open(name: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, VERSION);
  opening.onupgradeneeded = () => {
    const store = opening.result.createObjectStore(STORE, { keyPath: "id" });
    store.createIndex(BY_USER, "user");
  };
  const opened = request(opening);
  // Whoever uses it meets the failure; nobody has to for the page to go on.
  opened.catch(() => {});
  return opened;
}

function request<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}
