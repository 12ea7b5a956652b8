import { describe, expect, it, vi } from "vitest";
import { clockOffsetAtom, connectionAtom } from "../../state/connection-state.ts";
import { type FakeClient, fakeSystem } from "../testing/fake-system.ts";

async function live(seed = 1) {
  const system = fakeSystem(seed);
  system.seed(3);
  const client = system.client();
  const kinds = watchKinds(client);
  const session = client.core.openTable("incidents");
  client.core.start();
  await system.clock.advance(100);
  return { ...system, client, session, kinds };
}

function watchKinds({ store }: FakeClient): string[] {
  const kinds = [store.get(connectionAtom).kind as string];
  store.sub(connectionAtom, () => {
    const { kind } = store.get(connectionAtom);
    if (kinds.at(-1) !== kind) kinds.push(kind);
  });
  return kinds;
}

describe("the connection", () => {
  it("C1 is connecting until every open table follows its feed, then live", async () => {
    const { kinds, client, session, clock, server } = await live();
    expect(kinds).toEqual(["connecting", "live"]);
    expect(session.position).toEqual({ epoch: "e1", seq: 3 });
    server.failure = (name) =>
      name === "subscribe" ? { code: "unavailable", message: "Not now." } : null;
    client.line.cut();
    await clock.advance(5_000);
    expect(client.connection()).toBe("catchingUp");
    server.failure = () => null;
    await clock.advance(20_000);
    expect(client.connection()).toBe("live");
  });

  it("C2 reconnects after a cut, calls itself offline after a while, and tries on", async () => {
    const { kinds, client, clock } = await live();
    client.line.isUnreachable = true;
    client.line.cut();
    await clock.advance(9_000);
    expect(client.connection()).toBe("reconnecting");
    await clock.advance(60_000);
    expect(client.connection()).toBe("offline");
    client.line.isUnreachable = false;
    await clock.advance(31_000);
    expect(kinds).toEqual(["connecting", "live", "reconnecting", "offline", "catchingUp", "live"]);
  });

  it("C2 calls itself blocked at once where only the live connection fails, and offline once nothing answers", async () => {
    const { kinds, client, clock } = await live();
    Object.assign(client.line, { isUnreachable: true, isBlocked: true });
    client.line.cut();
    await clock.advance(2_000);
    expect(client.connection()).toBe("blocked");
    await clock.advance(60_000);
    client.line.isBlocked = false;
    await clock.advance(31_000);
    expect(client.connection()).toBe("offline");
    client.line.isUnreachable = false;
    await clock.advance(31_000);
    const away = ["reconnecting", "blocked", "offline"];
    expect(kinds).toEqual(["connecting", "live", ...away, "catchingUp", "live"]);
  });

  it("C2 spreads the attempts of many clients, ever wider", async () => {
    const waits = await Promise.all([1, 2, 3, 4, 5].map((seed) => waitsOf(seed)));
    const first = waits.map(([wait]) => wait);
    expect(new Set(waits.map(([, , third]) => third)).size).toBe(waits.length);
    expect(Math.max(...first.map((wait) => wait ?? 0))).toBeLessThanOrEqual(400);
    const late = waits.flatMap((all) => all.slice(7));
    expect(Math.max(...late)).toBeGreaterThan(5_000);
    expect(Math.max(...late)).toBeLessThanOrEqual(10_000);
  });

  it("C2 stops while the browser has no network and tries at once when it is back", async () => {
    const { client, clock } = await live();
    client.core.setOnline(false);
    expect(client.connection()).toBe("offline");
    await clock.advance(120_000);
    expect(client.connection()).toBe("offline");
    client.core.setOnline(true);
    await clock.advance(50);
    expect(client.connection()).toBe("live");
  });

  it("C3 waits as long as a stopping server asks for", async () => {
    const { client, clock } = await live();
    client.line.send("goodbye", { reason: "restart", retryAfter: 7_000 });
    await clock.advance(10);
    client.line.cut();
    const degradedNotices = client.store.get(connectionAtom);
    expect((degradedNotices.retryAt ?? 0) - clock.now()).toBeGreaterThan(6_900);
    await clock.advance(6_900);
    expect(client.connection()).toBe("reconnecting");
    await clock.advance(2_500);
    expect(client.connection()).toBe("live");
  });

  it("C3 leaves a line that has said goodbye and stays open", async () => {
    const { kinds, client, clock } = await live();
    client.line.send("goodbye", { reason: "restart", retryAfter: 500 });
    await clock.advance(10_000);
    expect(kinds).toEqual(["connecting", "live", "reconnecting", "catchingUp", "live"]);
  });

  it("C3 comes back where the network goes while the server stops", async () => {
    const { client, clock } = await live();
    client.line.send("goodbye", { reason: "restart", retryAfter: 500 });
    await clock.advance(10);
    client.core.setOnline(false);
    await clock.advance(10_000);
    client.core.setOnline(true);
    await clock.advance(5_000);
    expect(client.connection()).toBe("live");
  });

  it("C3 comes back by another sign-in after a goodbye that it had not acted on", async () => {
    const { client, clock } = await live();
    client.line.send("goodbye", { reason: "restart", retryAfter: 500 });
    client.line.send("goodbye", { reason: "signed_out", retryAfter: 0 });
    await clock.advance(10_000);
    expect(client.connection()).toBe("signedOut");
    client.core.reconnect();
    await clock.advance(5_000);
    expect(client.connection()).toBe("live");
  });

  it.each([
    ["session_ended", "signedOut"],
    ["update_required", "updateRequired"],
  ] as const)("C3 stops reconnecting after %s", async (code, kind) => {
    const { client, session, clock } = await live();
    client.line.refusal = code;
    client.line.cut();
    await clock.advance(120_000);
    expect(client.connection()).toBe(kind);
    client.line.refusal = null;
    await clock.advance(120_000);
    expect(client.connection()).toBe(kind);
    client.core.reconnect();
    await clock.advance(100);
    expect(client.connection()).toBe("live");
    expect(session.phase).toBe("live");
  });

  it("C3 is signed out when a call finds the session gone", async () => {
    const { client, clock, server } = await live();
    server.failure = () => ({ code: "session_ended", message: "Gone." });
    const set = { title: "Kept" };
    client.core.edits.edit("incidents", { record: "i1", set, base: { title: "Title 1" } });
    await clock.advance(100);
    expect(client.connection()).toBe("signedOut");
    expect(client.counts().waiting).toBe(1);
    server.failure = () => null;
    client.core.reconnect();
    await clock.advance(1_000);
    expect(server.incidents.records.get("i1")?.values.title).toBe("Kept");
  });

  it("C4 catches up with what was missed before it is live again", async () => {
    const { client, session, clock, change } = await live();
    const rowList = session.openRowList({ filter: null, sort: ["rank"], search: "" });
    await clock.advance(50);
    client.line.isUnreachable = true;
    client.line.cut();
    change("i1", { title: "Meanwhile" });
    client.line.isUnreachable = false;
    await clock.advance(1_000);
    expect(client.connection()).toBe("live");
    expect(rowList.get("i1")?.values.title).toBe("Meanwhile");
    expect(session.counters.resyncs).toBe(0);
  });

  it("C4 lets all that is on no feed be read again after a cut, and with each version of the model", async () => {
    const { client, clock } = await live();
    const set = vi.spyOn(client.store, "set");
    const announced = () =>
      set.mock.calls.filter(([, value]) => (value as { notice?: unknown }).notice === null);
    client.line.cut();
    await clock.advance(5_000);
    expect(announced()).toHaveLength(1);
    client.line.send("model", { version: 2 });
    await clock.advance(10);
    expect(announced()).toHaveLength(2);
  });

  it("C5 gives up a line that has fallen silent", async () => {
    const { client, clock, kinds } = await live();
    await clock.advance(6_000);
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    await clock.advance(11_000);
    expect(kinds).toContain("reconnecting");
  });

  it("C5 gives up a silent line also when the machine's clock was set back", async () => {
    const { client, clock, kinds } = await live();
    await clock.advance(6_000);
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    clock.setBy(-3_600_000);
    await clock.advance(40_000);
    expect(kinds).toContain("reconnecting");
  });

  it("C5 is not called live while two pings are missing, and is again over the same line when something arrives", async () => {
    const { client, clock, kinds } = await live();
    const { faults } = client.line;
    client.line.ping();
    client.line.faults = { ...faults, dropMessage: 1 };
    await clock.advance(4_900);
    expect(client.connection()).toBe("live");
    await clock.advance(400);
    expect(client.connection()).toBe("reconnecting");
    const calls = client.line.calls.length;
    client.line.faults = faults;
    client.line.ping();
    await clock.advance(100);
    expect(kinds).toEqual(["connecting", "live", "reconnecting", "live"]);
    expect(client.line.calls.slice(calls)).toEqual([]);
  });

  it("C5 is live where its page slept, and reads what came meanwhile", async () => {
    const { client, clock, kinds } = await live();
    client.line.ping();
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    await clock.advance(4_000);
    clock.setBy(60_000);
    await clock.advance(1_100);
    client.line.faults = { ...client.line.faults, dropMessage: 0 };
    client.line.ping();
    await clock.advance(2_000);
    expect(kinds).toEqual(["connecting", "live"]);
  });

  it("C5 is live where its page was busy for as long as a ping takes, and reads it a moment later", async () => {
    const { client, clock, kinds } = await live();
    client.line.ping();
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    // Its timers come first, and a little late.
    clock.setBy(300);
    await clock.advance(5_010);
    client.line.faults = { ...client.line.faults, dropMessage: 0 };
    client.line.ping();
    await clock.advance(2_000);
    expect(kinds).toEqual(["connecting", "live"]);
  });

  it("C5 keeps a quiet line on which heads arrive", async () => {
    const { clock, kinds } = await live();
    await clock.advance(600_000);
    expect(kinds).toEqual(["connecting", "live"]);
  });

  it("C5 returns the time of the server's clock", async () => {
    const { client, clock } = await live();
    const now = new Date(clock.now() + 90_000).toISOString();
    client.line.send("heads", { tables: { incidents: { epoch: "e1", seq: 3 } }, now });
    await clock.advance(10);
    expect(client.store.get(clockOffsetAtom)).toBeGreaterThan(89_900);
    expect(client.store.get(clockOffsetAtom)).toBeLessThanOrEqual(90_000);
  });

  it("shows that the server says it is degraded, as long as it does over this line", async () => {
    const { client, clock } = await live();
    client.line.send("notice", { kind: "health", degraded: true });
    await clock.advance(10);
    const shown = () => client.store.get(connectionAtom);
    expect(shown()).toMatchObject({ kind: "live", degraded: true, withoutStore: false });
    client.line.send("notice", { kind: "health", degraded: true, reason: "store" });
    await clock.advance(10);
    expect(shown()).toMatchObject({ kind: "live", degraded: true, withoutStore: true });
    client.line.send("notice", { kind: "health", degraded: false });
    await clock.advance(10);
    expect(shown()).toMatchObject({ kind: "live", degraded: false, withoutStore: false });
    client.line.send("notice", { kind: "health", degraded: true });
    await clock.advance(10);
    client.line.cut();
    await clock.advance(5_000);
    expect(shown()).toMatchObject({ kind: "live", degraded: false });
  });
});

/** The waits before each attempt of a client whose server is unavailable. */
async function waitsOf(seed: number): Promise<number[]> {
  const { client, clock } = await live(seed);
  const waits: number[] = [];
  client.store.sub(connectionAtom, () => {
    const { retryAt } = client.store.get(connectionAtom);
    if (retryAt !== null) waits.push(retryAt - clock.now());
  });
  client.line.isUnreachable = true;
  client.line.cut();
  await clock.advance(240_000);
  return waits;
}
