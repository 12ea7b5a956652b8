import "fake-indexeddb/auto";
import { describe, expect, it, vi } from "vitest";
import type { EditStorage, StoredMutation } from "./edit-storage.ts";
import { createIndexedEditStorage } from "./indexed-edit-storage.ts";
import { createMemoryEditStorage } from "./memory-edit-storage.ts";

let databases = 0;

const kinds: [string, () => EditStorage][] = [
  ["memory", createMemoryEditStorage],
  ["IndexedDB", () => createIndexedEditStorage(`test-${databases++}`)],
];

function mutation(id: string, more: Partial<StoredMutation> = {}): StoredMutation {
  const op = { op: "update" as const, table: "t", record: id, set: { a: 1 }, base: { a: null } };
  const stored = { id, user: "ann", tab: "one", order: 1, ops: [op], atomic: false };
  return { ...stored, origin: "edit", refusals: {}, ...more };
}

describe.each(kinds)("edits stored in %s", (_name, create) => {
  it("come back in the order of their making, whole", async () => {
    const storage = create();
    await storage.putAll([mutation("b", { order: 2 }), mutation("a"), mutation("c", { order: 3 })]);
    expect(await storage.load("ann")).toEqual([
      mutation("a"),
      mutation("b", { order: 2 }),
      mutation("c", { order: 3 }),
    ]);
  });

  it("come back to their author only", async () => {
    const storage = create();
    await storage.putAll([mutation("a"), mutation("b", { user: "bob" })]);
    expect((await storage.load("bob")).map(({ id }) => id)).toEqual(["b"]);
    expect(await storage.load("eve")).toEqual([]);
  });

  it("are replaced by a later write and gone when removed", async () => {
    const storage = create();
    await storage.putAll([mutation("a"), mutation("b")]);
    const refusals = { 0: { code: "conflict", message: "No.", detail: { fields: {} } } };
    const first = storage.putAll([mutation("a", { refusals })]);
    await Promise.all([first, storage.remove(["b"])]);
    expect(await storage.load("ann")).toEqual([mutation("a", { refusals })]);
  });

  it("are not altered by what happens to the object that was put", async () => {
    const storage = create();
    const put = mutation("a");
    await storage.putAll([put]);
    put.ops = [];
    expect((await storage.load("ann"))[0]?.ops).toHaveLength(1);
  });
});

describe("edits stored in IndexedDB", () => {
  it("outlive whoever opened it first", async () => {
    await createIndexedEditStorage("shared").putAll([mutation("a")]);
    expect(await createIndexedEditStorage("shared").load("ann")).toHaveLength(1);
  });

  it("do not keep a newer page in another tab from changing the database", async () => {
    const storage = createIndexedEditStorage("upgraded");
    await storage.putAll([mutation("a")]);
    const opened = Promise.withResolvers<number>();
    const opening = indexedDB.open("upgraded", 2);
    opening.onblocked = () => opened.reject(new Error("It waits for the old page."));
    opening.onsuccess = () => opened.resolve(opening.result.version);
    expect(await opened.promise).toBe(2);
    opening.result.close();
    await expect(storage.load("ann")).rejects.toThrow();
  });

  it("are committed before the next task, in which the page may be gone", async () => {
    const storage = createIndexedEditStorage("left");
    await storage.load("ann");
    const commit = vi.spyOn(IDBTransaction.prototype, "commit");
    const nextTask = new Promise((resolve) => setImmediate(resolve));
    const stored = storage.putAll([mutation("a")]);
    await nextTask;
    expect(commit).toHaveBeenCalledOnce();
    await stored;
  });
});
