import { describe, expect, it } from "vitest";
import type { PresenceCall } from "../../../../shared/protocol/presence.ts";
import { presenceAtom } from "../../state/table-state.ts";
import { type FakeClient, fakeSystem } from "../testing/fake-system.ts";

async function live() {
  const system = fakeSystem();
  const client = system.client();
  const session = client.core.openTable("incidents");
  client.core.start();
  await system.clock.advance(100);
  return { ...system, client, session };
}

function presenceCalls({ line }: FakeClient): PresenceCall[] {
  return line.calls
    .filter(({ name }) => name === "presence")
    .map(({ call }) => call as PresenceCall);
}

const bob = { id: "bob", name: "Bob", colour: "teal", mode: "viewing" as const };

describe("presence", () => {
  it("C31 sends the user's location at once, then the latest at most ten times a second", async () => {
    const { client, clock } = await live();
    for (let row = 0; row < 200; row++) {
      client.core.presence.set("incidents", { record: `i${row}`, mode: "viewing" });
      await clock.advance(5);
    }
    await clock.advance(200);
    const calls = presenceCalls(client);
    expect(calls[0]?.record).toBe("i0");
    expect(calls.length).toBeLessThanOrEqual(12);
    expect(calls.at(-1)?.record).toBe("i199");
  });

  it("C31 repeats it as a heartbeat and after every return", async () => {
    const { client, clock } = await live();
    client.core.presence.set("incidents", { mode: "viewing" });
    await clock.advance(25_000);
    expect(presenceCalls(client)).toHaveLength(4);
    client.line.cut();
    await clock.advance(2_000);
    expect(presenceCalls(client)).toHaveLength(5);
  });

  it("C31 reports the table that it leaves, unless it is elsewhere by then", async () => {
    const { client, clock } = await live();
    client.core.presence.set("incidents", { mode: "viewing" });
    client.core.presence.set("groups", { mode: "viewing" });
    client.core.presence.leave("incidents");
    await clock.advance(500);
    expect(presenceCalls(client).at(-1)).toEqual({ table: "groups", mode: "viewing" });
    client.core.presence.leave("groups");
    await clock.advance(500);
    expect(presenceCalls(client).at(-1)).toEqual({ table: "groups", mode: "away" });
    await clock.advance(60_000);
    expect(presenceCalls(client).at(-1)?.mode).toBe("away");
    expect(presenceCalls(client)).toHaveLength(3);
  });

  it("C31 shows the others, and nobody while there is no line", async () => {
    const { client, clock } = await live();
    const people = [
      { ...bob, connection: "bob-line" },
      { ...bob, id: "ann", connection: "ann-line" },
    ];
    client.line.send("presence", { table: "incidents", people });
    await clock.advance(10);
    expect(client.store.get(presenceAtom("incidents"))).toMatchObject([{ id: "bob" }]);
    client.line.isUnreachable = true;
    client.line.cut();
    expect(client.store.get(presenceAtom("incidents"))).toEqual([]);
    client.line.isUnreachable = false;
    await clock.advance(30_000);
    client.line.send("presence", { table: "incidents", people });
    await clock.advance(10);
    expect(client.store.get(presenceAtom("incidents"))).toHaveLength(1);
    client.line.send("goodbye", { reason: "signed_out", retryAfter: 0 });
    await clock.advance(10);
    expect(client.store.get(presenceAtom("incidents"))).toEqual([]);
  });

  it("C31 shows nobody on a table that is no longer followed, whatever was still on its way", async () => {
    const { client, clock, session } = await live();
    const send = () =>
      client.line.send("presence", {
        table: "incidents",
        people: [{ ...bob, connection: "bob-line" }],
      });
    send();
    await clock.advance(10);
    expect(client.store.get(presenceAtom("incidents"))).toMatchObject([{ id: "bob" }]);
    session.close();
    await clock.advance(5_000);
    expect(client.store.get(presenceAtom("incidents"))).toEqual([]);
    send();
    await clock.advance(10);
    expect(client.store.get(presenceAtom("incidents"))).toEqual([]);
  });
});
