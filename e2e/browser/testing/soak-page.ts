import type { ShownWallboard } from "../../../shared/protocol/frame.ts";

/** A wallboard with every kind of tile, and what a server would send of it. */
export const soakWallboard: ShownWallboard = {
  id: "soak",
  name: "Every kind",
  version: 1,
  grid: { columns: 12, rows: 8 },
  zone: "Europe/Lisbon",
  theme: "dark",
  tiles: (
    [
      ["number", { bucket: "hour", target: 40, better: "less" }],
      ["trend", { bucket: "hour" }],
      ["breakdown", { shape: "bars" }],
      ["breakdown", { shape: "donut" }],
      ["queue", { qr: true, address: "/t/incidents" }],
      ["lights", {}],
      ["progress", {}],
      ["activity", {}],
      ["clock", { seconds: true }],
      ["text", { text: "Left alone for weeks" }],
    ] as const
  ).map(([kind, more], index) => ({
    id: `tile${index}`,
    kind,
    title: `${kind} ${index}`,
    zone: "Europe/Lisbon",
    layout: { x: (index % 4) * 3, y: Math.floor(index / 4) * 2, w: 3, h: 2 },
    ...more,
  })),
};

/**
 * Runs in the page, before its scripts: a WebSocket that acts like the server and sends a complete new frame
 * each second of the page's own clock (page-clock.ts).
 */
export function playServer(wallboard: ShownWallboard): void {
  let count = 0;
  const some = (max: number) => Math.floor(Math.random() * max);
  const now = () => new Date().toISOString();
  const alert = () =>
    some(4) > 0
      ? null
      : {
          word: "Busy",
          colour: "red",
          flash: true,
          sound: false,
          since: now(),
          acknowledged: null,
        };
  const rows = (length: number) =>
    Array.from({ length }, (_, index) => ({
      key: `row ${count} ${index}`,
      label: `Row ${some(1e6)}`,
      value: some(100),
      alert: alert(),
      change: { kind: "update", at: now(), fields: [] },
    }));
  const points = () =>
    Array.from({ length: 24 }, (_, index) => ({
      at: new Date(Date.now() - index * 3_600_000).toISOString(),
      value: some(50),
    }));
  const position = () => ({ incidents: { epoch: "e", seq: count } });
  const frame = () => {
    count += 1;
    const tiles = Object.fromEntries(
      wallboard.tiles.map(({ id }) => [
        id,
        {
          state: "ok",
          value: some(2_000),
          target: 2_000,
          rows: rows(6),
          series: [{ key: null, label: "x", points: points() }],
          alert: alert(),
          changedAt: now(),
        },
      ]),
    );
    return { wallboard: wallboard.id, version: 1, position: position(), asOf: now(), tiles };
  };
  const proven = () => {
    const asOf = now();
    return { wallboard: wallboard.id, version: 1, position: position(), asOf, now: asOf };
  };

  class Line extends EventTarget {
    static readonly OPEN = 1;
    readyState = 0;
    binaryType = "arraybuffer";
    bufferedAmount = 0;
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: (() => void) | null = null;
    onerror: (() => void) | null = null;
    #ticking: number | undefined;

    constructor() {
      super();
      setTimeout(() => {
        this.readyState = 1;
        this.onopen?.();
        this.#say(
          `0${JSON.stringify({ sid: "a", upgrades: [], pingInterval: 20_000, pingTimeout: 20_000, maxPayload: 1e6 })}`,
        );
      }, 1);
    }

    send(data: string): void {
      if (data.startsWith("40")) {
        setTimeout(() => this.#say('40{"sid":"b"}'), 1);
        let second = 0;
        this.#ticking = window.setInterval(() => {
          second += 1;
          this.#emit("frame", frame());
          if (second % 3 === 0) this.#emit("proven", proven());
          if (second % 20 === 0) this.#say("2");
        }, 1_000);
        return;
      }
      const asked = /^42(\d+)\["(\w+)"/.exec(data);
      if (!asked) return;
      const answer =
        asked[2] === "tiles" ? { ok: true, frame: { ...frame(), board: wallboard } } : { ok: true };
      setTimeout(() => this.#say(`43${asked[1]}${JSON.stringify([answer])}`), 1);
    }

    close(): void {
      clearInterval(this.#ticking);
      this.readyState = 3;
      this.onclose?.();
    }

    #emit(event: string, message: object): void {
      this.#say(`42${JSON.stringify([event, message])}`);
    }

    #say(data: string): void {
      this.onmessage?.({ data });
    }
  }
  Object.assign(window, { WebSocket: Line });
}
