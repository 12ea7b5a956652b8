import { describe, expect, it } from "vitest";
import type { Values } from "../../../../shared/model/model.ts";
import type { MutateCall } from "../../../../shared/protocol/mutate.ts";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import { type FakeClient, fakeSystem, IDLE_MS, record } from "../testing/fake-system.ts";

const byRank = { filter: null, sort: ["rank"], search: "" };

async function opened(storage = createMemoryEditStorage()) {
  const system = fakeSystem();
  system.seed(5);
  const client = system.client("ann", storage);
  const session = client.core.openTable("incidents");
  const rowList = session.openRowList(byRank);
  client.core.start();
  await system.clock.advance(100);
  const title = (id: string) => system.server.incidents.records.get(id)?.values.title;
  const refuse = (code: "unavailable" | "rate_limited" | "internal", more: object = {}) => {
    system.server.failure = (name) => (name === "mutate" ? { code, message: "", ...more } : null);
  };
  return { ...system, client, session, rowList, title, refuse };
}

function edit(client: FakeClient, id: string, title: string, base = `Title ${id.slice(1)}`) {
  return client.core.edits.edit("incidents", { record: id, set: { title }, base: { title: base } });
}

function mutations({ line }: FakeClient): MutateCall[] {
  return line.calls.filter(({ name }) => name === "mutate").map(({ call }) => call as MutateCall);
}

describe("an edit on its way", () => {
  it("C16 is shown at once and stored before it is sent", async () => {
    const stored: string[] = [];
    const storage = createMemoryEditStorage();
    const slow = {
      ...storage,
      putAll: async (all: Parameters<typeof storage.putAll>[0]) => {
        await storage.putAll(all);
        stored.push(...all.map(({ id }) => id));
      },
    };
    const { client, rowList, clock } = await opened(slow);
    edit(client, "i1", "Mine");
    expect(rowList.get("i1")).toMatchObject({
      values: { title: "Mine" },
      confirmed: { title: "Title 1" },
      cells: { title: { kind: "pending" } },
    });
    expect(mutations(client)).toEqual([]);
    await clock.advance(100);
    expect(mutations(client).map(({ id }) => id)).toEqual(stored);
  });

  it("C16 goes on in memory when the browser can't store it", async () => {
    const storage = {
      ...createMemoryEditStorage(),
      putAll: () => Promise.reject(new Error("full")),
    };
    const { client, clock, title } = await opened(storage);
    edit(client, "i1", "Mine");
    await clock.advance(100);
    expect(title("i1")).toBe("Mine");
  });

  it("C16 waits while the line is down and is counted", async () => {
    const { client, clock, title } = await opened();
    client.line.isUnreachable = true;
    client.line.cut();
    edit(client, "i1", "Mine");
    await clock.advance(60_000);
    expect(client.counts().waiting).toBe(1);
    client.line.isUnreachable = false;
    await clock.advance(40_000);
    expect(title("i1")).toBe("Mine");
    expect(client.counts().waiting).toBe(0);
  });

  it("C17 goes after my earlier one of the same record, based on what I saw", async () => {
    const { client, clock, title, server } = await opened();
    const first = edit(client, "i1", "One");
    const second = edit(client, "i1", "Two", "One");
    const other = edit(client, "i2", "Else");
    expect(client.counts().waiting).toBe(3);
    await clock.advance(100);
    expect(await Promise.all([first, second, other].map(({ outcome }) => outcome))).toMatchObject([
      { kind: "confirmed" },
      { kind: "confirmed" },
      { kind: "confirmed" },
    ]);
    expect(title("i1")).toBe("Two");
    expect(server.incidents.log.slice(-3).map(({ record: id }) => id)).toEqual(["i1", "i2", "i1"]);
  });

  it("C17 waits for the create of a record that it links to", async () => {
    const { client, clock, server } = await opened();
    server.failure = (name) => (name === "mutate" ? { code: "unavailable", message: "" } : null);
    const created = client.core.edits.create("incidents", record(9));
    edit(client, "i1", created.record);
    await clock.advance(50);
    expect(mutations(client)).toHaveLength(1);
    server.failure = () => null;
    await clock.advance(IDLE_MS);
    expect(server.incidents.records.get("i1")?.values.title).toBe(created.record);
  });

  it("C18 keeps its id after a lost acknowledgement and is applied once", async () => {
    const { client, clock, server, title } = await opened();
    client.line.faults = { ...client.line.faults, loseAnswer: 1 };
    const { outcome } = edit(client, "i1", "Mine");
    await clock.advance(100);
    client.line.faults = { ...client.line.faults, loseAnswer: 0 };
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ kind: "confirmed" });
    const ids = mutations(client).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
    expect(server.runs.get(ids[0] ?? "")).toBe(1);
    expect(title("i1")).toBe("Mine");
  });

  it("C18 goes again after a cut, once the client has caught up", async () => {
    const { client, clock, server } = await opened();
    client.line.faults = { ...client.line.faults, maxDelayMs: 50 };
    edit(client, "i1", "Mine");
    await clock.advance(1);
    client.line.cut();
    await clock.advance(IDLE_MS);
    const names = client.line.calls.map(({ name }) => name);
    expect(names.lastIndexOf("mutate")).toBeGreaterThan(names.lastIndexOf("subscribe"));
    expect([...server.runs.values()]).toEqual([1]);
  });

  it("C18 stays queued and is tried again while the database is unavailable", async () => {
    const { client, clock, title, refuse, server } = await opened();
    refuse("unavailable");
    edit(client, "i1", "Mine");
    await clock.advance(40_000);
    expect(client.counts()).toEqual({ waiting: 1, conflicts: 0, rejected: 0 });
    expect(mutations(client).length).toBeGreaterThan(3);
    server.failure = () => null;
    await clock.advance(31_000);
    expect(title("i1")).toBe("Mine");
  });

  it("C18 comes back no sooner than a store that is unavailable asks, and ever more seldom", async () => {
    const { client, clock, refuse } = await opened();
    refuse("unavailable", { retryAfter: 4 });
    edit(client, "i1", "Mine");
    await clock.advance(3_900);
    expect(mutations(client)).toHaveLength(1);
    await clock.advance(400_000);
    expect(mutations(client).length).toBeLessThan(400 / 4 / 2);
  });

  it("C18 pauses for as long as the server asks when it sends too much", async () => {
    const { client, clock, refuse, server, title } = await opened();
    refuse("rate_limited", { retryAfter: 10 });
    edit(client, "i1", "One");
    edit(client, "i2", "Two");
    await clock.advance(9_900);
    const sentCount = mutations(client).length;
    expect(sentCount).toBeLessThanOrEqual(2);
    server.failure = () => null;
    await clock.advance(4_000);
    expect([title("i1"), title("i2")]).toEqual(["One", "Two"]);
  });

  it("C18 is handed back when the server fails at it again and again", async () => {
    const { client, clock, refuse } = await opened();
    refuse("internal", { reference: "abc" });
    const { outcome } = edit(client, "i1", "Mine");
    await clock.advance(IDLE_MS);
    expect(await outcome).toMatchObject({ kind: "refused", code: "internal" });
    expect(mutations(client)).toHaveLength(4);
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 1 });
  });

  it("C20 is confirmed by its own change, also while the acknowledgement is missing", async () => {
    const { client, clock, rowList, change } = await opened();
    client.line.faults = { ...client.line.faults, loseAnswer: 1 };
    edit(client, "i1", "Mine");
    await clock.advance(100);
    expect(rowList.get("i1")).toMatchObject({ values: { title: "Mine" }, cells: {} });
    change("i1", { title: "Later" });
    await clock.advance(100);
    expect(rowList.get("i1")?.values.title).toBe("Later");
  });

  it("C20 lies over the record until the position reaches the acknowledged one", async () => {
    const { client, clock, rowList, server } = await opened();
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    edit(client, "i1", "Mine");
    await clock.advance(100);
    expect(client.counts().waiting).toBe(0);
    expect(rowList.get("i1")).toMatchObject({
      values: { title: "Mine" },
      confirmed: { title: "Title 1" },
      cells: {},
    });
    client.line.faults = { ...client.line.faults, dropMessage: 0 };
    await clock.advance(6_000);
    expect(rowList.get("i1")).toMatchObject({ values: { title: "Mine" }, confirmed: null });
    expect(server.incidents.head).toBe(6);
  });

  it("C20 lies over the record until it is read again, if the position reached it by a resync", async () => {
    const { client, clock, session, rowList, server } = await opened();
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    edit(client, "i1", "Mine");
    await clock.advance(100);
    client.line.faults = { ...client.line.faults, dropMessage: 0 };
    server.incidents.prune();
    server.failure = (name) => (name === "query" ? { code: "unavailable", message: "" } : null);
    client.line.cut();
    await clock.advance(20_000);
    expect(session.position?.seq).toBe(6);
    expect(rowList.get("i1")).toMatchObject({ values: { title: "Mine" } });
    server.failure = () => null;
    await clock.advance(IDLE_MS);
    expect(rowList.get("i1")).toMatchObject({ values: { title: "Mine" }, confirmed: null });
  });

  it("C20 of a value that is already stored is confirmed without a change", async () => {
    const { client, clock, rowList, server } = await opened();
    const values: Values = { title: "Title 1" };
    const { outcome } = client.core.edits.edit("incidents", {
      record: "i1",
      set: values,
      base: { title: "Older" },
    });
    await clock.advance(IDLE_MS);
    expect(await outcome).toMatchObject({ kind: "confirmed", seq: 5 });
    expect(server.incidents.head).toBe(5);
    expect(rowList.get("i1")).toMatchObject({ confirmed: null, cells: {} });
  });
});
