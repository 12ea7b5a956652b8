import type { Alert, TileFrame } from "../../../../shared/protocol/frame.ts";
import type { Clock } from "../../sync/clock.ts";

const REPEAT_MS = 30_000;

/** Sounds when an alert with sound appears, and again every 30 s until the last of them is acknowledged. */
export class Siren {
  readonly #clock: Clock;
  readonly #play: () => void;
  #heard: ReadonlySet<string> = new Set();
  #cancel = () => {};

  constructor(clock: Clock, play: () => void) {
    this.#clock = clock;
    this.#play = play;
  }

  /** Takes the values on the screen. Null mutes it. */
  update(tiles: Readonly<Record<string, TileFrame>> | null): void {
    const sounding = new Set(tiles && soundingAlerts(tiles));
    const isNew = [...sounding].some((alert) => !this.#heard.has(alert));
    this.#heard = sounding;
    if (sounding.size === 0) this.stop();
    else if (isNew) this.#sound();
  }

  stop(): void {
    this.#cancel();
  }

  #sound(): void {
    this.#play();
    this.#cancel();
    this.#cancel = this.#clock.after(REPEAT_MS, () => this.#sound());
  }
}

/** The sounding alerts, each as a text of its own. */
function soundingAlerts(tiles: Readonly<Record<string, TileFrame>>): string[] {
  const calls = (id: string, alert: Alert | null | undefined) =>
    alert?.sound && !alert.acknowledged ? [`${id} ${alert.since}`] : [];
  return Object.entries(tiles).flatMap(([id, { alert, rows = [] }]) => [
    ...calls(id, alert),
    ...rows.flatMap((row) => calls(`${id} ${JSON.stringify(row.key)}`, row.alert)),
  ]);
}
