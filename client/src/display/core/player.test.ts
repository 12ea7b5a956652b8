import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ErrorCode, Refusal } from "../../../../shared/protocol/errors.ts";
import type { Alert, FrameMessage } from "../../../../shared/protocol/frame.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import { FakeClock } from "../../sync/testing/fake-clock.ts";
import type { Transport, TransportEvents } from "../../transport/transport.ts";
import type { DisplayStorage } from "./display-storage.ts";
import { Player } from "./player.ts";
import { type Playing, serverNow } from "./player-state.ts";

const NOW = "2026-11-21T14:00:00Z";
const program: DisplayProgram = {
  id: "d",
  name: "Hall",
  boards: ["a", "b"],
  rotationSeconds: 3_600,
  showing: null,
  muted: false,
  zone: null,
  dim: null,
  identifyUntil: null,
  reloadAskedAt: null,
  build: "",
  now: NOW,
};
/** The values that the server answers, by wallboard. */
let served: Record<string, FrameMessage["tiles"]> = {};
const frameOf = (id: string): FrameMessage => ({
  wallboard: id,
  version: 1,
  position: {},
  asOf: new Date(clock.now()).toISOString(),
  tiles: served[id] ?? {},
  board: {
    id,
    name: id,
    version: 1,
    grid: { columns: 12, rows: 8 },
    zone: "UTC",
    theme: "dark",
    tiles: [],
  },
});
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": status < 400 ? "application/json" : "application/problem+json" },
  });
const removedWallboards = () => json({ code: "session_ended" }, 401);

/** What else happens before the page hears of the answer to a wallboard. */
let onCall: (call: { wallboard: string }) => Promise<void>;
/** What the server answers to `GET /display` and to reports; pairing has no code. */
let serve: () => Response;
let clock: FakeClock;
let line: { events: TransportEvents | null; isDead: boolean };
let stored: ReturnType<DisplayStorage["read"]>;

function holdRequest(): Player {
  const transport: Transport = {
    listen: (events) => {
      line.events = events;
    },
    connect: () =>
      clock.after(10, () => (line.isDead ? line.events?.onDown(null) : line.events?.onUp())),
    disconnect: () => {},
    connectionId: () => null,
    call: async (name, call) => {
      if (name !== "tiles") return {} as never;
      await onCall(call as { wallboard: string });
      return { frame: frameOf((call as { wallboard: string }).wallboard) } as never;
    },
  };
  const player = new Player({
    transport,
    storage: {
      read: () => stored,
      write: (next) => {
        stored = next;
      },
      clear: () => {
        stored = null;
      },
    },
    readProgram: (body) =>
      Array.isArray((body as DisplayProgram | null)?.boards) ? (body as DisplayProgram) : null,
    updater: { check: () => {}, stop: () => {} },
    clock,
    moment: () => ({ wall: clock.now(), steady: clock.now() }),
    measure: () => ({
      build: "",
      width: 1,
      height: 1,
      pixelRatio: 1,
      memoryMb: null,
      uptimeSeconds: 0,
    }),
    onOutdated: () => {},
  });
  player.start();
  return player;
}

const shown = ({ state }: Player) =>
  state.phase === "playing" ? (state.current?.board.id ?? "none") : state.phase;

/** The fetch of a body takes more turns of the real machine than the fake clock grants. */
const reaches = (player: Player, expected: string) =>
  vi.waitFor(
    async () => {
      await clock.advance(500);
      expect(shown(player)).toBe(expected);
    },
    { timeout: 30_000, interval: 5 },
  );

beforeEach(() => {
  clock = new FakeClock(7);
  line = { events: null, isDead: false };
  stored = null;
  served = {};
  onCall = async () => {};
  serve = () => json(program);
  vi.stubGlobal("fetch", async (url: string) =>
    url.endsWith("/pairing") ? json({}, 503) : serve(),
  );
});
afterEach(() => vi.unstubAllGlobals());

describe("D6 a player among the faults of its surroundings", () => {
  it.each<[string, () => Response]>([
    ["a proxy's 502 page", () => new Response("<h1>502</h1>", { status: 502 })],
    ["a network's page with status 200", () => new Response("<html>Sign in</html>")],
    ["JSON of somebody else", () => json({ hello: "world" })],
    ["JSON null", () => json(null)],
    ["a 401 that is not the server's own", () => json({ message: "who?" }, 401)],
    ["an internal error", () => json({ code: "internal" }, 500)],
  ])("keeps its last wallboard through %s, and goes on by itself", async (_, fault) => {
    const first = holdRequest();
    await reaches(first, "a");
    first.saveWallboards();
    serve = fault;
    line.isDead = true;
    const second = holdRequest();
    await reaches(second, "a");
    await clock.advance(60_000);
    expect(shown(second)).toBe("a");
    expect(stored).not.toBeNull();
    serve = () => json(program);
    line.isDead = false;
    await vi.waitFor(
      async () => {
        await clock.advance(1_000);
        expect(second.state).toMatchObject({ phase: "playing", isConnected: true });
      },
      { timeout: 30_000, interval: 5 },
    );
  });

  it.each<[ErrorCode | null]>([["session_ended"], ["unauthenticated"]])(
    "revoked while it was away it shows nothing more, and asks for a pairing (%s)",
    async (code) => {
      const player = holdRequest();
      await reaches(player, "a");
      player.saveWallboards();
      serve = removedWallboards;
      line.events?.onDown(code);
      await reaches(player, "pairing");
      expect(stored).toBeNull();
    },
  );

  it("connects with what it has stored also while its first request fails", async () => {
    stored = { program, boards: {} };
    serve = () => json({}, 503);
    const player = holdRequest();
    await clock.advance(2_000);
    await vi.waitFor(async () => {
      await clock.advance(500);
      expect(player.state).toMatchObject({ isConnected: true });
    });
    line.events?.onMessage("display", program);
    await reaches(player, "a");
  });

  it("shows its wallboards as soon as the server answers, of which it had none at its start", async () => {
    serve = () => json({}, 503);
    const player = holdRequest();
    await clock.advance(2_000);
    serve = () => json(program);
    await reaches(player, "a");
  });

  it("D5 asks for a pairing once its credential has ended: at once if it hears of that, or else with its next report", async () => {
    for (const ended of ["by a goodbye", "by a refusal", "by nothing"]) {
      serve = () => json(program);
      const player = holdRequest();
      await reaches(player, "a");
      // The first report comes after a second, the next one ten seconds later.
      await clock.advance(2_000);
      serve = removedWallboards;
      if (ended !== "by nothing") {
        if (ended === "by a refusal") line.events?.onDown("session_ended");
        else line.events?.onMessage("goodbye", { reason: "revoked", retryAfter: 0 });
        await vi.waitFor(() => expect(shown(player)).toBe("pairing"));
      } else await reaches(player, "pairing");
      let requests = 0;
      serve = () => {
        requests += 1;
        return removedWallboards();
      };
      await clock.advance(60_000);
      expect(requests).toBe(0);
    }
  });

  it("says that the server is degraded as long as it says so, and no longer on another line", async () => {
    const player = holdRequest();
    await reaches(player, "a");
    const isDegraded = () => (player.state as Playing).isDegraded;
    line.events?.onMessage("notice", { kind: "health", degraded: true });
    expect(isDegraded()).toBe(true);
    line.events?.onDown(null);
    await clock.advance(10_000);
    expect([(player.state as Playing).isConnected, isDegraded()]).toEqual([true, false]);
  });

  it("stores nothing of a wallboard that is not one of the display's any more", async () => {
    const player = holdRequest();
    await reaches(player, "a");
    await clock.advance(3_000);
    player.saveWallboards();
    expect(Object.keys(stored?.boards ?? {})).toEqual(["a", "b"]);
    line.events?.onMessage("display", { ...program, boards: ["b"] });
    await reaches(player, "b");
    player.saveWallboards();
    expect(Object.keys(stored?.boards ?? {})).toEqual(["b"]);
  });

  it("a line that was refused, while the server knows the display, ends no pairing", async () => {
    const player = holdRequest();
    await reaches(player, "a");
    line.events?.onDown("session_ended");
    await clock.advance(60_000);
    await reaches(player, "a");
  });

  it("D4 a wallboard deleted while it is shown leaves at once, and the next one comes", async () => {
    const player = holdRequest();
    await reaches(player, "a");
    line.events?.onMessage("notice", {
      kind: "wallboard",
      wallboard: "a",
      version: 0,
      published: null,
      removed: true,
    });
    expect(shown(player)).toBe("none");
    await reaches(player, "b");
  });

  it("D4 a wallboard deleted in the same moment in which it comes up is never shown", async () => {
    serve = () => json({ ...program, rotationSeconds: 5 });
    const player = holdRequest();
    await reaches(player, "a");
    const seen = new Set<string>();
    player.listen(() => seen.add(shown(player)));
    onCall = async ({ wallboard }) => {
      if (wallboard !== "b") return;
      const removed = {
        kind: "wallboard",
        wallboard,
        version: 2,
        published: null,
        removed: true,
      } as const;
      line.events?.onMessage("notice", removed);
    };
    await clock.advance(30_000);
    expect([...seen]).toEqual(["a"]);
  });

  it("D4 asks again for a wallboard that nothing proves, and for all of them on another line", async () => {
    const asked: string[] = [];
    onCall = async ({ wallboard }) => void asked.push(wallboard);
    const player = holdRequest();
    await reaches(player, "a");
    await clock.advance(3_000);
    asked.length = 0;
    line.events?.onDown(null);
    await clock.advance(5_000);
    expect([...asked].sort()).toEqual(["a", "b"]);
    asked.length = 0;
    await clock.advance(14_000);
    expect([...new Set(asked)].sort()).toEqual(["a", "b"]);
  });

  it("D4 asks again for the only wallboard if nothing proves it", async () => {
    serve = () => json({ ...program, boards: ["a"] });
    let asked = 0;
    onCall = async () => {
      asked += 1;
    };
    await reaches(holdRequest(), "a");
    asked = 0;
    for (let second = 0; second < 30; second += 1) {
      await clock.advance(1_000);
      line.events?.onMessage("notice", { kind: "health", degraded: false });
    }
    expect(asked).toBeGreaterThan(1);
  });

  it("D4 asks slowly where no wallboard can be shown, and shows the first that can", async () => {
    let asked = 0;
    let isRefused = true;
    onCall = async () => {
      asked += 1;
      if (isRefused) throw new Refusal(asked > 100 ? "internal" : "not_found");
    };
    const player = holdRequest();
    await reaches(player, "none");
    await clock.advance(60_000);
    expect(asked).toBeLessThan(40);
    isRefused = false;
    await clock.advance(12_000);
    expect(["a", "b"]).toContain(shown(player));
  });

  it("D4 an alert of a wallboard that is not up brings it up within 5 s, once, and goes on from there", async () => {
    serve = () => json({ ...program, rotationSeconds: 60 });
    const player = holdRequest();
    await reaches(player, "a");
    /** The server proves both wallboards every second. */
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await clock.advance(1_000);
        const now = new Date(clock.now()).toISOString();
        for (const wallboard of ["a", "b"])
          line.events?.onMessage("proven", { wallboard, version: 1, position: {}, asOf: now, now });
      }
    };
    const look = { word: "Full", colour: "red", flash: true, sound: false } as const;
    const alert: Alert = { ...look, since: NOW, acknowledged: null };
    const alerts = (given: Alert) => {
      served.b = { t: { state: "ok", value: 0, alert: given } };
      const { board: _, ...frame } = frameOf("b");
      line.events?.onMessage("frame", frame);
    };
    await pass(5);
    alerts({ ...alert, flash: false });
    await pass(5);
    expect(shown(player)).toBe("a");
    alerts(alert);
    await pass(5);
    expect(shown(player)).toBe("b");
    expect((player.state as Playing).alerting.map(({ board }) => board.id)).toEqual(["b"]);
    await pass(62);
    expect(shown(player)).toBe("a");
    alerts(alert);
    await pass(10);
    expect(shown(player)).toBe("a");
    alerts({ ...alert, acknowledged: { by: "Mira", at: NOW } });
    expect((player.state as Playing).alerting).toEqual([]);
  });

  it("D4 alerts of three wallboards that begin at once bring each of them up, one after the other", async () => {
    const ids = ["a", "b", "c", "d"];
    serve = () => json({ ...program, boards: ids, rotationSeconds: 60 });
    const player = holdRequest();
    await reaches(player, "a");
    await clock.advance(3_000);
    const alert = { word: "Full", colour: "red", flash: true, sound: false } as const;
    for (const id of ["b", "c", "d"]) {
      const tile = { state: "ok", value: 0, alert: { ...alert, since: NOW, acknowledged: null } };
      served[id] = { t: tile } as FrameMessage["tiles"];
      const { board: _, ...frame } = frameOf(id);
      line.events?.onMessage("frame", frame);
    }
    expect((player.state as Playing).alerting.map(({ board }) => board.id)).toEqual([
      "b",
      "c",
      "d",
    ]);
    const up = [shown(player)];
    for (let step = 0; step < 32; step += 1) {
      await clock.advance(250);
      const now = new Date(clock.now()).toISOString();
      for (const wallboard of ids)
        line.events?.onMessage("proven", { wallboard, version: 1, position: {}, asOf: now, now });
      if (shown(player) !== up.at(-1)) up.push(shown(player));
    }
    expect(up.filter((id) => id !== "a")).toEqual(["b", "c", "d"]);
  });

  it("knows the time by the server also where no wallboard can be shown and its own clock is wrong", async () => {
    serve = () => json({ ...program, boards: [] });
    const player = holdRequest();
    await reaches(player, "none");
    const state = player.state as Playing;
    const later = { wall: 0, steady: state.programAt.steady + 5_000 };
    expect(serverNow(state, later)).toBe(Date.parse(NOW) + 5_000);
  });
});
