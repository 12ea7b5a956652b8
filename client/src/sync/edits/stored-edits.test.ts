import { describe, expect, it } from "vitest";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import { type FakeClient, fakeSystem, IDLE_MS } from "../testing/fake-system.ts";

const byRank = { filter: null, sort: ["rank"], search: "" };

function edit(client: FakeClient, id: string, title: string) {
  const base = { title: `Title ${id.slice(1)}` };
  return client.core.edits.edit("incidents", { record: id, set: { title }, base });
}

async function offline() {
  const system = fakeSystem();
  system.seed(5);
  const storage = createMemoryEditStorage();
  const client = system.client("ann", storage);
  client.core.openTable("incidents");
  client.core.start();
  await system.clock.advance(100);
  client.line.isUnreachable = true;
  client.line.cut();
  const title = (id: string) => system.server.incidents.records.get(id)?.values.title;
  return { ...system, open: system.client, storage, client, title };
}

describe("stored edits", () => {
  it("C19 survive the page, are shown again and delivered once, after catch-up", async () => {
    const { client, clock, reload, title, server } = await offline();
    edit(client, "i1", "Mine");
    await clock.advance(1_000);
    const again = await reload(client);
    const rowList = again.core.openTable("incidents").openRowList(byRank);
    again.line.faults = { ...again.line.faults, maxDelayMs: 30 };
    again.core.start();
    await clock.advance(5);
    expect(again.counts().waiting).toBe(1);
    await clock.advance(IDLE_MS);
    expect(title("i1")).toBe("Mine");
    expect(rowList.get("i1")).toMatchObject({ values: { title: "Mine" }, cells: {} });
    const names = again.line.calls.map(({ name }) => name);
    expect(names.indexOf("mutate")).toBeGreaterThan(names.indexOf("subscribe"));
    expect([...server.runs.values()]).toEqual([1]);
    expect(await again.storage.load("ann")).toEqual([]);
  });

  it("C19 that were applied before the page went are answered, not applied again", async () => {
    const { client, clock, reload, server, title } = await offline();
    client.line.isUnreachable = false;
    await clock.advance(2_000);
    client.line.faults = { ...client.line.faults, loseAnswer: 1 };
    edit(client, "i1", "Mine");
    await clock.advance(100);
    expect(title("i1")).toBe("Mine");
    const again = await reload(client);
    again.core.start();
    await clock.advance(IDLE_MS);
    expect([...server.runs.values()]).toEqual([1]);
    expect(again.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 0 });
  });

  it("C19 keep the order of their making", async () => {
    const { client, clock, reload, title } = await offline();
    edit(client, "i1", "One");
    client.core.edits.edit("incidents", {
      record: "i1",
      set: { title: "Two" },
      base: { title: "One" },
    });
    await clock.advance(10);
    // Also of what is made after it, where the machine's clock is set back meanwhile.
    clock.setBy(-3_600_000);
    const again = await reload(client);
    again.line.isUnreachable = true;
    again.core.start();
    await clock.advance(100);
    again.core.edits.edit("incidents", {
      record: "i1",
      set: { title: "Three" },
      base: { title: "Two" },
    });
    again.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect(title("i1")).toBe("Three");
    expect(again.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 0 });
  });

  it("C19 are never shown to or sent by somebody else on the same browser", async () => {
    const { client, clock, storage, title, open } = await offline();
    edit(client, "i1", "Mine");
    await clock.advance(100);
    await client.core.stop();
    const other = open("bob", storage);
    const rowList = other.core.openTable("incidents").openRowList(byRank);
    other.core.start();
    await clock.advance(IDLE_MS);
    expect(other.counts().waiting).toBe(0);
    expect(rowList.get("i1")?.values.title).toBe("Title 1");
    expect(title("i1")).toBe("Title 1");
    expect(await storage.load("ann")).toHaveLength(1);
  });

  it("C19 of a tab that is gone are taken over, of a living one left alone", async () => {
    const { client, clock, storage, title, open } = await offline();
    edit(client, "i1", "Mine");
    await clock.advance(100);
    let isGone = false;
    const lease = {
      tab: "second",
      async takeOver(_tab: string, take: () => Promise<void>) {
        if (isGone) await take();
        return isGone;
      },
      release() {},
    };
    const second = open("ann", storage, lease);
    second.core.start();
    await clock.advance(40_000);
    expect(second.counts().waiting).toBe(0);
    expect(title("i1")).toBe("Title 1");
    await client.core.stop();
    isGone = true;
    await clock.advance(40_000);
    expect(title("i1")).toBe("Mine");
  });

  it("C19 of two tabs in one cell: one is delivered, the other meets it as a conflict in its own tab and stays stored", async () => {
    const { client, clock, server, seed } = fakeSystem();
    seed(5);
    const storage = createMemoryEditStorage();
    const openTab = (tab: string) => {
      const opened = client("ann", storage, { tab, takeOver: async () => false, release() {} });
      const rowList = opened.core.openTable("incidents").openRowList(byRank);
      opened.core.start();
      return { ...opened, rowList };
    };
    const [first, second] = [openTab("first"), openTab("second")];
    await clock.advance(100);
    for (const { line } of [first, second]) {
      line.isUnreachable = true;
      line.cut();
    }
    edit(first, "i1", "First");
    edit(second, "i1", "Second");
    await clock.advance(1_000);
    expect(await storage.load("ann")).toHaveLength(2);
    for (const { line } of [first, second]) {
      line.isUnreachable = false;
      await clock.advance(40_000);
    }
    expect(server.incidents.records.get("i1")?.values.title).toBe("First");
    expect(first.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 0 });
    expect(second.counts()).toEqual({ waiting: 0, conflicts: 1, rejected: 0 });
    expect(second.rowList.get("i1")?.cells.title).toMatchObject({
      mine: "Second",
      theirs: "First",
    });
    expect(await storage.load("ann")).toHaveLength(1);
  });

  it("C19 made before the old ones were read go after them", async () => {
    const { client, clock, reload, title } = await offline();
    edit(client, "i1", "Old");
    await clock.advance(10);
    const again = await reload(client);
    again.core.start();
    const set = { title: "New" };
    again.core.edits.edit("incidents", { record: "i1", set, base: { title: "Old" } });
    await clock.advance(IDLE_MS);
    expect(title("i1")).toBe("New");
  });
});
