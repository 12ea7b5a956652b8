import type { EditStorage, StoredMutation } from "./edit-storage.ts";
import { browserDatabases } from "./storage/browser-storage.ts";

const DATABASE = "watchfloor";
const STORE = "edits";
const BY_USER = "user";
const VERSION = 1;

/**
 * Keeps edits in IndexedDB, so that they survive the page and the browser. One database for all users
 * of the browser; each asks for their own only.
 */
export function createIndexedEditStorage(name = DATABASE): EditStorage {
  const database = new ReopenedDatabase(name);
  return {
    async load(user) {
      const store = await transaction(database, "readonly");
      const found = request<StoredMutation[]>(store.index(BY_USER).getAll(user));
      return (await found).sort((a, b) => a.order - b.order);
    },
    async putAll(mutations) {
      const store = await transaction(database, "readwrite");
      for (const mutation of mutations) store.put(mutation);
      await committed(store.transaction);
    },
    async remove(ids) {
      const store = await transaction(database, "readwrite");
      for (const id of ids) store.delete(id);
      await committed(store.transaction);
    },
  };
}

/** A database that could not be opened, or that the browser closed, is opened again at its next use. */
class ReopenedDatabase {
  readonly #name: string;
  #opened: Promise<IDBDatabase> | null = null;

  constructor(name: string) {
    this.#name = name;
  }

  get(): Promise<IDBDatabase> {
    this.#opened ??= open(this.#name, () => {
      this.#opened = null;
    });
    return this.#opened;
  }
}

async function transaction(
  database: ReopenedDatabase,
  mode: IDBTransactionMode,
): Promise<IDBObjectStore> {
  return (await database.get()).transaction(STORE, mode).objectStore(STORE);
}

async function open(name: string, onClosed: () => void): Promise<IDBDatabase> {
  try {
    const opening = browserDatabases().open(name, VERSION);
    opening.onupgradeneeded = () => {
      const store = opening.result.createObjectStore(STORE, { keyPath: "id" });
      store.createIndex(BY_USER, "user");
    };
    const database = await request(opening);
    database.onclose = onClosed;
    // A newer page in another tab changes the database, and would wait for this one to be closed.
    database.onversionchange = () => {
      database.close();
      onClosed();
    };
    return database;
  } catch (error) {
    onClosed();
    throw error;
  }
}

function request<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    // Now, and not when the page learns of the requests' success: it may be left before.
    transaction.commit();
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}
