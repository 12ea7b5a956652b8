import { describe, expect, it } from "vitest";
import { connectionAtom } from "../state/connection-state.ts";
import { fakeSystem, IDLE_MS } from "./testing/fake-system.ts";

/** Minimal reproductions of faults that tests with real servers and failing connections found. */
describe("the client core", () => {
  async function opened(records: number) {
    const system = fakeSystem();
    system.seed(records);
    const client = system.client();
    const session = client.core.openTable("incidents");
    const view = session.openRowList({ filter: null, sort: ["rank"], search: "" });
    client.core.start();
    await system.clock.advance(100);
    return { ...system, client, session, view };
  }

  it("gives up a line that was dead from its first moment", async () => {
    const { client, clock } = await opened(1);
    client.line.cut();
    await clock.advance(1_000);
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    expect(client.connection()).toBe("live");
    let gaveUp = false;
    client.store.sub(connectionAtom, () => {
      gaveUp ||= client.connection() === "reconnecting";
    });
    await clock.advance(20_000);
    expect(gaveUp).toBe(true);
  });

  it("gives my own new record its row when rows are put in order", async () => {
    const { client, clock, view } = await opened(3);
    client.core.edits.create("incidents", { title: "Mine", rank: 1 }, "mine");
    await clock.advance(IDLE_MS);
    expect(view.created.map(({ id }) => id)).toEqual(["mine"]);
    view.realign();
    await clock.advance(IDLE_MS);
    expect(view.created).toEqual([]);
    expect(view.indexOf("mine")).toBeGreaterThan(-1);
    expect(view.status.rowCount).toBe(4);
  });

  it("brings back by undo what I had written before anybody confirmed it", async () => {
    const { client, clock, server } = await opened(3);
    const { edits, undo } = client.core;
    edits.create("incidents", { title: "Mine", rank: 1 }, "mine");
    edits.edit("incidents", {
      record: "i1",
      set: { title: "Mine too" },
      base: { title: "Title 1" },
    });
    edits.deleteMany("incidents", ["mine", "i1"]);
    void undo.undo();
    await clock.advance(IDLE_MS);
    expect(server.incidents.records.get("mine")?.values).toMatchObject({ title: "Mine", rank: 1 });
    expect(server.incidents.records.get("i1")?.values).toMatchObject({ title: "Mine too" });
  });

  it("shows what it read anew after a resync, not what it had shown before", async () => {
    const { change, client, clock, view, server } = await opened(3);
    expect(view.at(1)?.values.title).toBe("Title 1");
    client.line.isUnreachable = true;
    client.line.cut();
    change("i1", { title: "Meanwhile" });
    server.incidents.prune();
    client.line.isUnreachable = false;
    client.line.faults = { ...client.line.faults, maxDelayMs: 500 };
    await clock.advance(IDLE_MS);
    expect(view.at(1)?.values.title).toBe("Meanwhile");
  });
});
