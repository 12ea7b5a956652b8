import { expect, it } from "vitest";
import { editsStoredAtom } from "../../state/connection-state.ts";
import type { EditStorage } from "../../transport/edit-storage.ts";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import { A_WHILE_MS, fakeDesk } from "../testing/fake-desk.ts";
import { fakeModel } from "../testing/fake-server.ts";

const byRank = { filter: null, sort: ["rank"], search: "" };
const edit = { record: "i1", set: { title: "Mine" }, base: { title: "Title 1" } };

it("C16 sends an edit although the browser's storage hangs, and says that it is not stored", async () => {
  const desk = fakeDesk();
  desk.seed(3);
  const hanging = { ...createMemoryEditStorage(), putAll: () => new Promise<void>(() => {}) };
  const client = desk.client("ann", hanging);
  client.core.openTable("incidents").openWindow(byRank);
  client.core.start();
  await desk.clock.advance(100);
  client.core.edits.edit("incidents", edit);
  await desk.clock.advance(A_WHILE_MS);
  expect(desk.server.incidents.records.get("i1")?.values.title).toBe("Mine");
  expect(client.store.get(editsStoredAtom)).toBe(false);
});

it("C16 no longer says that an edit is not stored when a slow storage has stored it", async () => {
  const desk = fakeDesk();
  desk.seed(3);
  const memory = createMemoryEditStorage();
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  const slow: EditStorage = {
    ...memory,
    putAll: (mutations) => goesOn.then(() => memory.putAll(mutations)),
  };
  const client = desk.client("ann", slow);
  client.core.openTable("incidents").openWindow(byRank);
  client.core.start();
  await desk.clock.advance(100);
  client.core.edits.edit("incidents", edit);
  await desk.clock.advance(A_WHILE_MS);
  expect(client.store.get(editsStoredAtom)).toBe(false);
  goOn();
  await desk.clock.advance(A_WHILE_MS);
  expect(client.store.get(editsStoredAtom)).toBe(true);
});

it("C16 sends edits of one table while another one can't be subscribed to", async () => {
  const desk = fakeDesk();
  desk.seed(3);
  const client = desk.client();
  client.core.openTable("incidents").openWindow(byRank);
  client.core.start();
  await desk.clock.advance(100);
  client.line.cut();
  const { transportCall } = { transportCall: client.line.call.bind(client.line) };
  client.line.call = (name, call, timeoutMs) =>
    name === "subscribe" && (call as { table: string }).table === "slow"
      ? new Promise(() => {})
      : transportCall(name, call, timeoutMs);
  client.core.openTable("slow");
  await desk.clock.advance(A_WHILE_MS);
  client.core.edits.edit("incidents", edit);
  await desk.clock.advance(A_WHILE_MS);
  expect(desk.server.incidents.records.get("i1")?.values.title).toBe("Mine");
});

it("C26 moves a view that speaks of the time with the clock", async () => {
  const [incidents] = fakeModel.tables;
  const desk = fakeDesk();
  const now = desk.clock.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  desk.seed(3, (index) => ({ title: `T${index}`, state: "New", rank: index, secret: at(60_000) }));
  const client = desk.client();
  const fields = incidents?.fields.map((field) =>
    field.name === "secret" ? { ...field, type: "timestamp" as const } : field,
  );
  client.knows({ ...fakeModel, tables: [{ ...incidents, fields } as never] });
  const filter = { field: "secret", op: "gt" as const, value: "$now" };
  const window = client.core.openTable("incidents").openWindow({ ...byRank, filter });
  client.core.start();
  await desk.clock.advance(100);
  await window.getRows(0, 10);
  expect(window.get("i1")?.mark ?? null).toBeNull();
  await desk.clock.advance(120_000);
  expect(window.get("i1")?.mark).toBe("gone");
});
