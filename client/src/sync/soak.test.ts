import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../../shared/limits.ts";
import { Overlay } from "./edits/overlay.ts";
import { TableFollower } from "./feed/table-follower.ts";
import { fakeModel } from "./testing/fake-server.ts";
import { fakeSystem, IDLE_MS, record } from "./testing/fake-system.ts";

const CHANGES = 20_000;
const FRAME = 50;

/** A follower by itself, whose inside can be counted. */
async function createFollower() {
  const system = fakeSystem();
  system.seed(2_000);
  const client = system.client();
  const overlay = new Overlay();
  const follower = new TableFollower({
    table: "incidents",
    transport: client.line,
    clock: system.clock,
    store: client.store,
    overlay,
    context: () => ({
      user: { id: "ann", name: "ann", attributes: {} },
      model: fakeModel,
      limits: defaultLimits,
      textOrder: "en",
    }),
    serverNow: () => system.clock.now(),
    onProgress: () => {},
    onSessionEnded: () => {},
    onScopeChanged: () => {},
    onAgreed: () => {},
    onRightsChanged: () => {},
    onChanges: () => {},
  });
  client.line.listen({
    onUp: () => follower.onConnected(),
    onDown: () => follower.onDisconnected(),
    onMessage: (name, message) => {
      if (name === "changes") follower.incoming.changes(message as never);
    },
    onUnreadable: () => {},
    onPing: () => {},
  });
  client.line.connect();
  const rowList = follower.openRowList({ filter: null, sort: ["rank"], search: "" });
  await system.clock.advance(100);
  return { ...system, follower, rowList };
}

describe("a page that is left alone", () => {
  it("C14 holds no more after many changes than before them", async () => {
    const { clock, follower, rowList, server } = await createFollower();
    const loaded = follower.heldRecords;
    const timers = clock.pending;
    expect(loaded).toBe(100);
    for (let made = 0; made < CHANGES; made += FRAME) {
      server.write((table) => {
        for (let index = made; index < made + FRAME; index++) {
          const id = `i${(index * 7) % 2_000}`;
          const set = { title: `Round ${index}` };
          const base = { ...table.records.get(id)?.values };
          const by = { kind: "external" as const, id: "psql", name: "psql" };
          table.run({ op: "update", table: "incidents", record: id, set, base }, "", by);
          table.run(
            { op: "create", table: "incidents", record: `x${index}`, values: record(index) },
            "",
            by,
          );
        }
        table.log.splice(0, table.log.length - 4 * FRAME);
      });
      await clock.advance(20);
    }
    await clock.advance(IDLE_MS);
    expect(follower.heldRecords).toBe(loaded);
    expect(follower.counters).toMatchObject({ holes: 0, resyncs: 0 });
    expect(clock.pending).toBeLessThanOrEqual(timers + 2);
    expect(rowList.status.total).toBe(2_000 + CHANGES);
    rowList.close();
    expect(follower.heldRecords).toBe(0);
  });
});
