/** One Ctrl-C arrives more than once: from the terminal, and from npm, which passes it on. */
const ONE_PRESS_MS = 1_000;

/** Calls `stop` at the first signal that asks the process to stop, and `end` at a later one. */
export function onStopSignal(stop: () => void, end: () => void): void {
  let stopRequestedAt: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopRequestedAt === undefined) {
        stopRequestedAt = performance.now();
        stop();
      } else if (performance.now() - stopRequestedAt > ONE_PRESS_MS) end();
    });
  }
}
