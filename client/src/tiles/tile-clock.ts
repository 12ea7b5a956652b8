import { useEffect, useState } from "react";

/**
 * The time that faces show, by the server's clock where the screen knows it: a television's own clock
 * may be wrong by hours. One timer serves all faces of a page, at the beginning of each second.
 */

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let offsetMs = 0;

/** How far the server's clock is ahead of this machine's, in milliseconds. */
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

/** Now, told anew at least every `everyMs` (whole seconds). */
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
