import { createContext, useContext, useEffect, useState } from "react";
import { Listeners } from "../../../shared/listeners.ts";

/** An offset that differs by less is a matter of the network, and waits for the next second. */
const LEAP_MS = 1_000;

/**
 * The time that tiles show, by the server's clock if it is known: a television's own clock may be wrong by hours. One
 * timer serves all tiles, at the start of each second.
 */
export class TileClock {
  readonly #listeners = new Listeners();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #offsetMs = 0;

  /** Sets how far the server's clock is ahead of this machine's, in milliseconds. */
  setOffset(ms: number): void {
    const isLeap = Math.abs(ms - this.#offsetMs) >= LEAP_MS;
    this.#offsetMs = ms;
    if (isLeap) this.#notify();
  }

  /** Now, in milliseconds. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Calls back at the beginning of each second, until the returned function is called. */
  readonly onSecond = (listener: () => void): (() => void) => {
    const remove = this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#tick();
    return () => {
      remove();
      if (this.#listeners.size === 0) clearTimeout(this.#timer);
    };
  };

  #tick(): void {
    this.#timer = setTimeout(
      () => {
        this.#tick();
        this.#notify();
      },
      1_000 - (this.now() % 1_000),
    );
  }

  #notify(): void {
    this.#listeners.emit();
  }
}

/** The clock of the tiles below; without a provider this machine's. */
export const TileClockContext = createContext(new TileClock());

/** The current time, updated every `everyMs` (whole seconds). */
export function useNow(everyMs = 1_000): number {
  const clock = useContext(TileClockContext);
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const listener = () => {
      const at = clock.now();
      setNow((before) => (Math.floor(before / everyMs) === Math.floor(at / everyMs) ? before : at));
    };
    return clock.onSecond(listener);
  }, [clock, everyMs]);
  return now;
}
