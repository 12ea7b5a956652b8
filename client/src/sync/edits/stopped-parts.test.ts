import { expect, it } from "vitest";
import { editsStoredAtom } from "../../state/connection-state.ts";
import type { EditStorage } from "../../transport/edit-storage.ts";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import { singleTabLease } from "../../transport/tab-lease.ts";
import { fakeModel } from "../testing/fake-server.ts";
import { fakeSystem, IDLE_MS } from "../testing/fake-system.ts";

const byRank = { filter: null, sort: ["rank"], search: "" };
const edit = { record: "i1", set: { title: "Mine" }, base: { title: "Title 1" } };

it("C16 sends an edit although the browser's storage hangs, and says that it is not stored", async () => {
  const system = fakeSystem();
  system.seed(3);
  const hanging = { ...createMemoryEditStorage(), putAll: () => new Promise<void>(() => {}) };
  const client = system.client("ann", hanging);
  client.core.openTable("incidents").openRowList(byRank);
  client.core.start();
  await system.clock.advance(100);
  client.core.edits.edit("incidents", edit);
  await system.clock.advance(IDLE_MS);
  expect(system.server.incidents.records.get("i1")?.values.title).toBe("Mine");
  expect(client.store.get(editsStoredAtom)).toBe(false);
});

it("C16 no longer says that an edit is not stored when a slow storage has stored it", async () => {
  const system = fakeSystem();
  system.seed(3);
  const memory = createMemoryEditStorage();
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const slow: EditStorage = {
    ...memory,
    putAll: (mutations) => goesOn.then(() => memory.putAll(mutations)),
  };
  const client = system.client("ann", slow);
  client.core.openTable("incidents").openRowList(byRank);
  client.core.start();
  await system.clock.advance(100);
  client.core.edits.edit("incidents", edit);
  await system.clock.advance(IDLE_MS);
  expect(client.store.get(editsStoredAtom)).toBe(false);
  goOn();
  await system.clock.advance(IDLE_MS);
  expect(client.store.get(editsStoredAtom)).toBe(true);
});

it("C16 stores an edit later that a full storage refused, and warns until then", async () => {
  const system = fakeSystem();
  system.seed(3);
  const memory = createMemoryEditStorage();
  let isFull = true;
  const full: EditStorage = {
    ...memory,
    putAll: async (mutations) => {
      if (isFull) throw new DOMException("Full.", "QuotaExceededError");
      await memory.putAll(mutations);
    },
  };
  const client = system.client("ann", full);
  client.core.openTable("incidents").openRowList(byRank);
  client.core.start();
  await system.clock.advance(100);
  client.line.isUnreachable = true;
  client.line.cut();
  client.core.edits.edit("incidents", edit);
  await system.clock.advance(IDLE_MS);
  expect(client.store.get(editsStoredAtom)).toBe(false);
  expect(client.core.storeBeforeLeaving()).toBe(false);
  isFull = false;
  await system.clock.advance(IDLE_MS);
  expect(client.store.get(editsStoredAtom)).toBe(true);
  expect(client.core.storeBeforeLeaving()).toBe(true);
  expect(await memory.load("ann")).toMatchObject([{ ops: [{ set: { title: "Mine" } }] }]);
});

it("C19 starts although the browser's storage does not open, says so, and adopts its edits as soon as it does", async () => {
  const system = fakeSystem();
  system.seed(3);
  const memory = createMemoryEditStorage();
  const first = system.client("ann", memory);
  first.core.start();
  first.line.isUnreachable = true;
  first.line.cut();
  first.core.edits.edit("incidents", edit);
  await system.clock.advance(100);
  await first.core.stop();

  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const hanging: EditStorage = {
    load: (user) => opened.then(() => memory.load(user)),
    putAll: (mutations) => opened.then(() => memory.putAll(mutations)),
    remove: (ids) => opened.then(() => memory.remove(ids)),
  };
  const client = system.client("ann", hanging);
  client.core.openTable("incidents").openRowList(byRank);
  client.core.start();
  await system.clock.advance(IDLE_MS);
  expect(client.store.get(editsStoredAtom)).toBe(false);
  client.core.edits.edit("incidents", {
    record: "i2",
    set: { title: "Mine" },
    base: { title: "Title 2" },
  });
  await system.clock.advance(IDLE_MS);
  expect(system.server.incidents.records.get("i2")?.values.title).toBe("Mine");
  open();
  await system.clock.advance(500);
  expect(client.store.get(editsStoredAtom)).toBe(true);
  expect(system.server.incidents.records.get("i1")?.values.title).toBe("Mine");
});

it("C19 adopts edits of a closed tab although a full storage can't be written", async () => {
  const system = fakeSystem();
  system.seed(3);
  const memory = createMemoryEditStorage();
  const first = system.client("ann", memory, singleTabLease("closed"));
  first.core.start();
  first.line.isUnreachable = true;
  first.line.cut();
  first.core.edits.edit("incidents", edit);
  await system.clock.advance(100);
  await first.core.stop();
  const full = { ...memory, putAll: () => Promise.reject(new DOMException("Full.")) };
  const client = system.client("ann", full);
  client.core.openTable("incidents").openRowList(byRank);
  client.core.start();
  await system.clock.advance(IDLE_MS);
  expect(system.server.incidents.records.get("i1")?.values.title).toBe("Mine");
});

it("C16 sends edits of one table while another one can't be subscribed to", async () => {
  const system = fakeSystem();
  system.seed(3);
  const client = system.client();
  client.core.openTable("incidents").openRowList(byRank);
  client.core.start();
  await system.clock.advance(100);
  client.line.cut();
  const { transportCall } = { transportCall: client.line.call.bind(client.line) };
  client.line.call = (name, call, timeoutMs) =>
    name === "subscribe" && (call as { table: string }).table === "slow"
      ? new Promise(() => {})
      : transportCall(name, call, timeoutMs);
  client.core.openTable("slow");
  await system.clock.advance(IDLE_MS);
  client.core.edits.edit("incidents", edit);
  await system.clock.advance(IDLE_MS);
  expect(system.server.incidents.records.get("i1")?.values.title).toBe("Mine");
});

it("C26 updates a view whose filter uses the time as time passes", async () => {
  const [incidents] = fakeModel.tables;
  const system = fakeSystem();
  const now = system.clock.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  system.seed(3, (index) => ({
    title: `T${index}`,
    state: "New",
    rank: index,
    secret: at(60_000),
  }));
  const client = system.client();
  const fields = incidents?.fields.map((field) =>
    field.name === "secret" ? { ...field, type: "timestamp" as const } : field,
  );
  client.setVisibleModel({ ...fakeModel, tables: [{ ...incidents, fields } as never] });
  const filter = { field: "secret", op: "gt" as const, value: "$now" };
  const rowList = client.core.openTable("incidents").openRowList({ ...byRank, filter });
  client.core.start();
  await system.clock.advance(100);
  await rowList.getRows(0, 10);
  expect(rowList.get("i1")?.mark ?? null).toBeNull();
  await system.clock.advance(120_000);
  expect(rowList.get("i1")?.mark).toBe("gone");
});
