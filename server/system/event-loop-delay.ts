import { monitorEventLoopDelay } from "node:perf_hooks";

/** Each sample of the event loop wakes the process, also when it is idle. */
export const LOOP_RESOLUTION_MS = 100;
const LOOP_WINDOW_MS = 10_000;
const NANOSECONDS_PER_MS = 1e6;

/** How late timers fire, in windows: one long pause at the start must not show for ever. */
export function measureEventLoop() {
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  let began = performance.now();
  let last = 0;
  return {
    stop: () => void delay.disable(),
    delayMs(): number {
      const late = Math.round(delay.percentile(99) / NANOSECONDS_PER_MS - LOOP_RESOLUTION_MS);
      if (performance.now() - began < LOOP_WINDOW_MS) return Math.max(0, last, late);
      last = late;
      began = performance.now();
      delay.reset();
      return Math.max(0, late);
    },
  };
}
