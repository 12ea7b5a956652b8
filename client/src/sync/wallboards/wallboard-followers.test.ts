import { describe, expect, it, onTestFinished } from "vitest";
import { HOME_WALLBOARD } from "../../../../shared/model/wallboard/home-wallboard.ts";
import type { FrameMessage } from "../../../../shared/protocol/frame.ts";
import { ageOf } from "../../../../shared/protocol/freshness.ts";
import { setInstallationZone } from "../../state/day-zone.ts";
import { wallboardAtom } from "../../state/wallboard-state.ts";
import { fakeSystem } from "../testing/fake-system.ts";

function buildFrame(value: number, asOf: string, version = 1): FrameMessage {
  const board = {
    id: "b",
    name: "Wall",
    version,
    grid: { columns: 12, rows: 8 },
    zone: "UTC",
    theme: "dark" as const,
    tiles: [],
  };
  const tiles = { open: { state: "ok" as const, value } };
  const position = { incidents: { epoch: "e", seq: value } };
  return { wallboard: "b", version, position, asOf, tiles, board };
}

/** A page that is live, with a wallboard on the server. */
async function live() {
  const system = fakeSystem();
  system.server.wallboards.set("b", buildFrame(1, "2026-11-21T04:00:00Z"));
  const client = system.client();
  client.core.start();
  await system.clock.advance(100);
  const view = () => client.store.get(wallboardAtom("b", false));
  const value = () => view().tiles.open?.value;
  const requests = () => client.line.calls.filter(({ name }) => name === "tiles").length;
  return { ...system, client, view, value, asked: requests };
}

describe("a wallboard on the page", () => {
  it("C33 is asked for once however many show it, and left by the last", async () => {
    const { client, clock, view, value, asked: requests } = await live();
    const leave = [
      client.core.wallboards.open("b", false),
      client.core.wallboards.open("b", false),
    ];
    await clock.advance(50);
    expect([value(), requests()]).toEqual([1, 1]);
    leave[0]?.();
    leave[0]?.();
    expect(view().phase).toBe("live");
    leave[1]?.();
    await clock.advance(50);
    expect(view().phase).toBe("waiting");
    expect(client.line.calls.at(-1)).toMatchObject({
      name: "leaveTiles",
      call: { wallboard: "b" },
    });
  });

  it("C33 is asked for by the days of its user where it is the dashboard, and else by its own", async () => {
    const { client } = await live();
    setInstallationZone("Pacific/Auckland");
    onTestFinished(() => setInstallationZone(null));
    client.core.wallboards.open(HOME_WALLBOARD, false);
    client.core.wallboards.open("b", false);
    const requests = client.line.calls.filter(({ name }) => name === "tiles");
    expect(requests.map(({ call }) => call)).toEqual([
      { wallboard: HOME_WALLBOARD, zone: "Pacific/Auckland" },
      { wallboard: "b" },
    ]);
  });

  it("C33 goes on with each frame, and an older one changes nothing", async () => {
    const { client, clock, value, view } = await live();
    client.core.wallboards.open("b", false);
    await clock.advance(50);
    const { board: _board, ...next } = buildFrame(3, "2026-11-21T04:00:03Z");
    client.line.send("frame", next);
    client.line.send("frame", buildFrame(2, "2026-11-21T04:00:02Z"));
    await clock.advance(50);
    expect(value()).toBe(3);
    const proven = { wallboard: "b", version: 1, position: {}, asOf: "2026-11-21T04:00:09Z" };
    client.line.send("proven", { ...proven, now: proven.asOf });
    await clock.advance(50);
    expect(view().proof?.asOf).toBe(Date.parse(proven.asOf));
  });

  it("C33 goes on with each frame also where the server's clock was set back", async () => {
    const { client, clock, value } = await live();
    client.core.wallboards.open("b", false);
    await clock.advance(50);
    client.line.send("frame", buildFrame(2, "2026-11-21T03:00:00Z"));
    await clock.advance(50);
    expect(value()).toBe(2);
  });

  it("C33 swaps to another version only together with its layout", async () => {
    const { client, clock, value, view } = await live();
    client.core.wallboards.open("b", false);
    await clock.advance(50);
    const { board: _board, ...bare } = buildFrame(7, "2026-11-21T04:00:05Z", 2);
    client.line.send("frame", bare);
    await clock.advance(50);
    expect(value()).toBe(1);
    client.line.send("frame", buildFrame(8, "2026-11-21T04:00:06Z", 2));
    await clock.advance(50);
    expect([value(), view().board?.version]).toEqual([8, 2]);
  });

  it("C33 marks its values as old while disconnected, and subscribes again afterwards", async () => {
    const { client, clock, server, value, view, asked: requests } = await live();
    client.core.wallboards.open("b", false);
    await clock.advance(50);
    client.line.isUnreachable = true;
    client.line.cut();
    expect([view().phase, value()]).toEqual(["disconnected", 1]);
    server.wallboards.set("b", buildFrame(5, "2026-11-21T04:01:00Z"));
    client.line.isUnreachable = false;
    await clock.advance(40_000);
    expect([view().phase, value()]).toEqual(["live", 5]);
    expect(requests()).toBeGreaterThan(1);
  });

  it("C33 that may not be seen says so, and comes when it may", async () => {
    const { client, clock, server, view } = await live();
    client.core.wallboards.open("other", false);
    await clock.advance(50);
    const other = () => client.store.get(wallboardAtom("other", false));
    expect(other()).toMatchObject({ phase: "refused", refusal: "not_found" });
    server.wallboards.set("other", {
      ...buildFrame(1, "2026-11-21T04:00:00Z"),
      wallboard: "other",
    });
    client.line.send("model", { version: 2 });
    await clock.advance(50);
    expect(other().phase).toBe("live");
    expect(view().phase).toBe("waiting");
  });

  it("C33 that may be seen again comes also where that is heard together with the refusal", async () => {
    const { client, clock, server } = await live();
    const call = client.line.call.bind(client.line);
    client.line.call = (...args) =>
      call(...args).catch(async (refusal: unknown) => {
        server.wallboards.set("new", {
          ...buildFrame(1, "2026-11-21T04:00:00Z"),
          wallboard: "new",
        });
        client.line.send("model", { version: 2 });
        await new Promise<void>((resolve) => clock.after(10, resolve));
        throw refusal;
      });
    client.core.wallboards.open("new", false);
    await clock.advance(100);
    expect(client.store.get(wallboardAtom("new", false)).phase).toBe("live");
  });

  it("C33 that is removed leaves the screen", async () => {
    const { client, clock, server, view } = await live();
    client.core.wallboards.open("b", false);
    await clock.advance(50);
    server.wallboards.delete("b");
    const removal = { wallboard: "b", version: 1, published: null, removed: true };
    client.line.send("notice", { kind: "wallboard", ...removal });
    await clock.advance(50);
    expect(view()).toMatchObject({ phase: "refused", refusal: "not_found" });
  });

  it("C33 that was not published comes when it is", async () => {
    const { client, clock, server } = await live();
    client.core.wallboards.open("new", false);
    await clock.advance(50);
    server.wallboards.set("new", { ...buildFrame(1, "2026-11-21T04:00:00Z"), wallboard: "new" });
    const update = { wallboard: "new", version: 1, published: 1, removed: false };
    client.line.send("notice", { kind: "wallboard", ...update });
    await clock.advance(50);
    expect(client.store.get(wallboardAtom("new", false)).phase).toBe("live");
  });

  it("C33 ages without a confirmation though the connection is open, and is requested again", async () => {
    const { client, clock, view, asked: requests } = await live();
    const leave = client.core.wallboards.open("b", false);
    await clock.advance(50);
    const freshness = () => {
      const now = { wall: clock.now(), steady: clock.steady() };
      return ageOf(view().proof, now).freshness;
    };
    expect(freshness()).toBe("live");
    await clock.advance(9_000);
    expect([view().phase, freshness(), requests()]).toEqual(["live", "lost", 1]);
    await clock.advance(12_000);
    expect(requests()).toBeGreaterThan(1);
    leave();
    const before = requests();
    await clock.advance(60_000);
    expect(requests()).toBe(before);
  });

  it("C33 asks for the whole wallboard when a frame of another version comes without its layout", async () => {
    const { client, clock, server, value, asked: requests } = await live();
    client.core.wallboards.open("b", false);
    await clock.advance(50);
    server.wallboards.set("b", buildFrame(9, "2026-11-21T04:00:06Z", 2));
    const { board: _board, ...bare } = buildFrame(7, "2026-11-21T04:00:05Z", 2);
    client.line.send("frame", bare);
    await clock.advance(50);
    expect([value(), requests()]).toEqual([9, 2]);
  });
});
