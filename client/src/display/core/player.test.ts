import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DisplayProgram } from "../../../../shared/protocol/displays.ts";
import type { ErrorCode } from "../../../../shared/protocol/errors.ts";
import type { FrameMessage } from "../../../../shared/protocol/frame.ts";
import { FakeClock } from "../../sync/testing/fake-clock.ts";
import type { Transport, TransportEvents } from "../../transport/transport.ts";
import type { Memory } from "./memory.ts";
import { Player } from "./player.ts";

const NOW = "2026-11-21T14:00:00Z";
const program: DisplayProgram = {
  id: "d",
  name: "Hall",
  boards: ["a", "b"],
  rotationSeconds: 3_600,
  showing: null,
  muted: false,
  dim: null,
  identifyUntil: null,
  reloadAskedAt: null,
  staleMs: 10_000,
  build: "",
  now: NOW,
};
const frameOf = (id: string): FrameMessage => ({
  wallboard: id,
  version: 1,
  position: {},
  asOf: NOW,
  tiles: {},
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
const gone = () => json({ code: "session_ended" }, 401);

/** What the server answers to `GET /display` and to reports; pairing has no code. */
let serve: () => Response;
let clock: FakeClock;
let line: { events: TransportEvents | null; isDead: boolean };
let kept: ReturnType<Memory["read"]>;

function hang(): Player {
  const transport: Transport = {
    listen: (events) => {
      line.events = events;
    },
    connect: () =>
      clock.after(10, () => (line.isDead ? line.events?.onDown(null) : line.events?.onUp())),
    disconnect: () => {},
    connectionId: () => null,
    call: async (name, call) =>
      (name === "tiles"
        ? { frame: frameOf((call as { wallboard: string }).wallboard) }
        : {}) as never,
  };
  const player = new Player({
    transport,
    memory: {
      read: () => kept,
      write: (remembered) => {
        kept = remembered;
      },
      forget: () => {
        kept = null;
      },
    },
    readProgram: (body) =>
      Array.isArray((body as DisplayProgram | null)?.boards) ? (body as DisplayProgram) : null,
    renewal: { consider: () => {}, stop: () => {} },
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
const comesTo = (player: Player, wanted: string) =>
  vi.waitFor(
    async () => {
      await clock.advance(500);
      expect(shown(player)).toBe(wanted);
    },
    { timeout: 30_000, interval: 5 },
  );

beforeEach(() => {
  clock = new FakeClock(7);
  line = { events: null, isDead: false };
  kept = null;
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
  ])("keeps its last board through %s, and goes on by itself", async (_, fault) => {
    const first = hang();
    await comesTo(first, "a");
    first.remember();
    serve = fault;
    line.isDead = true;
    const second = hang();
    await comesTo(second, "a");
    await clock.advance(60_000);
    expect(shown(second)).toBe("a");
    expect(kept).not.toBeNull();
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
      const player = hang();
      await comesTo(player, "a");
      player.remember();
      serve = gone;
      line.events?.onDown(code);
      await comesTo(player, "pairing");
      expect(kept).toBeNull();
    },
  );

  it("a line that was refused, while the server knows the display, ends no pairing", async () => {
    const player = hang();
    await comesTo(player, "a");
    line.events?.onDown("session_ended");
    await clock.advance(60_000);
    await comesTo(player, "a");
  });

  it("D4 a board deleted while it is shown leaves at once, and the next one comes", async () => {
    const player = hang();
    await comesTo(player, "a");
    line.events?.onMessage("notice", {
      kind: "wallboard",
      wallboard: "a",
      version: 0,
      published: null,
      removed: true,
    });
    expect(shown(player)).toBe("none");
    await comesTo(player, "b");
  });
});
