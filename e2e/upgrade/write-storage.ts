import type { StoredTab } from "./released-database.ts";

/** Runs in the page, before the client starts: makes its storage what the tab of the release had. */
export async function writeStorage(tab: StoredTab): Promise<void> {
  const done = (request: IDBRequest) =>
    new Promise<void>((resolve, reject) => {
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
    });
  for (const { name, version, stores } of tab.databases) {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const store of stores) {
        const made = opening.result.createObjectStore(store.name, { keyPath: store.keyPath });
        for (const index of store.indexes) made.createIndex(index.name, index.keyPath);
      }
    };
    await done(opening);
    for (const store of stores) {
      const into = opening.result.transaction(store.name, "readwrite").objectStore(store.name);
      await Promise.all(store.values.map((value) => done(into.put(value))));
    }
    opening.result.close();
  }
  for (const [key, value] of Object.entries(tab.localStorage)) localStorage.setItem(key, value);
  for (const [key, value] of Object.entries(tab.sessionStorage)) {
    sessionStorage.setItem(key, value);
  }
}
