import { describe, expect, it } from "vitest";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import { FakeClock } from "../../sync/testing/fake-clock.ts";
import { memoryTextStorage } from "../../sync/testing/memory-text-storage.ts";
import { PlayerUpdater } from "./player-updater.ts";

const OLD = "index-old.js";
const NEW = "index-new.css index-new.js";
const page = '<link href="/assets/index-new.css"><script src="/assets/index-new.js"></script>';

const program = (more: Partial<DisplayProgram> = {}): DisplayProgram => ({
  id: "d",
  name: "Hall",
  boards: [],
  rotationSeconds: 30,
  showing: null,
  muted: false,
  zone: null,
  dim: null,
  identifyUntil: null,
  reloadAskedAt: null,
  build: OLD,
  now: "2026-11-21T14:00:00Z",
  ...more,
});

/** A page of an hour, on a server that answers as `serve` says. */
function holdRequest(serve: (url: string) => Response, seed = 1) {
  const clock = new FakeClock(seed);
  const seen = { fetched: [] as string[], reloads: 0 };
  const updater = new PlayerUpdater({
    clock,
    own: OLD,
    uptimeMs: () => 3_600_000,
    storage: memoryTextStorage(),
    fetchPage: async (url) => {
      seen.fetched.push(url);
      return serve(url);
    },
    reload: () => {
      seen.reloads += 1;
      updater.stop();
    },
  });
  return { clock, renewal: updater, seen };
}

const completePage = (url: string) => new Response(url === "/display" ? page : "file");

describe("D6 another build of the player", () => {
  it("is fetched whole before the page goes", async () => {
    const { clock, renewal: updater, seen } = holdRequest(completePage);
    updater.check(program({ build: NEW }));
    await clock.advance(60_000);
    expect(seen.fetched).toEqual(["/display", "/assets/index-new.css", "/assets/index-new.js"]);
    expect(seen.reloads).toBe(1);
  });

  it.each<[string, (url: string) => Response]>([
    ["a proxy's error page", () => new Response("<h1>502</h1>", { status: 502 })],
    ["a network's sign-in page", () => new Response("<h1>Welcome</h1>")],
    [
      "a page without one of its files",
      (url) => (url.endsWith(".css") ? new Response("", { status: 404 }) : completePage(url)),
    ],
  ])("stays where it is while there is %s, and goes when it is there", async (_, broken) => {
    let isBroken = true;
    const {
      clock,
      renewal: updater,
      seen,
    } = holdRequest((url) => (isBroken ? broken(url) : completePage(url)));
    updater.check(program({ build: NEW }));
    await clock.advance(300_000);
    expect(seen.reloads).toBe(0);
    isBroken = false;
    await clock.advance(60_000);
    expect(seen.reloads).toBe(1);
  });

  it("comes to a thousand screens spread over a minute, and never twice in a row", async () => {
    const screens = Array.from({ length: 1_000 }, (_, seed) => holdRequest(completePage, seed + 1));
    for (const { renewal: updater } of screens) updater.check(program({ build: NEW }));
    const gone = () => screens.filter(({ seen }) => seen.reloads > 0).length;
    for (let before = 0, part = 0; part < 6; part += 1) {
      for (const { clock } of screens) await clock.advance(10_000);
      expect(gone() - before).toBeGreaterThan(50);
      expect(gone() - before).toBeLessThan(400);
      before = gone();
    }
    expect(gone()).toBe(1_000);
    const [first] = screens;
    first?.renewal.check(program({ build: NEW }));
    await first?.clock.advance(300_000);
    expect(first?.seen.reloads).toBe(1);
  });

  it("is asked for by an operator once, whatever the television's clock says", async () => {
    const { clock, renewal: updater, seen } = holdRequest(completePage);
    updater.check(program({ reloadAskedAt: "2026-11-21T12:59:00Z" }));
    await clock.advance(60_000);
    expect(seen.reloads).toBe(0);
    updater.check(program({ reloadAskedAt: "2026-11-21T13:59:59Z" }));
    await clock.advance(1_500);
    expect(seen.reloads).toBe(1);
  });
});
