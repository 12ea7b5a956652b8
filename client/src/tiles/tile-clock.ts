import { useEffect, useState } from "react";

/**
 * The time that tiles show, by the server's clock if it is known: a television's own clock may be wrong by hours. One
 * timer serves all tiles of a page, at the start of each second.
 */

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let offsetMs = 0;

/** Sets how far the server's clock is ahead of this machine's, in milliseconds. */
export function setClockOffset(ms: number): void {
  offsetMs = ms;
}

/** Now by the server's clock, in milliseconds. */
function serverNow(): number {
  return Date.now() + offsetMs;
}

/** Calls back at the beginning of each second, until the returned function is called. */
export function onSecond(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) tick();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/** The current time, updated every `everyMs` (whole seconds). */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const listener = () => {
      const at = serverNow();
      setNow((before) => (Math.floor(before / everyMs) === Math.floor(at / everyMs) ? before : at));
    };
    return onSecond(listener);
  }, [everyMs]);
  return now;
}

function tick(): void {
  timer = setTimeout(
    () => {
      tick();
      for (const listener of listeners) listener();
    },
    1_000 - (serverNow() % 1_000),
  );
}
