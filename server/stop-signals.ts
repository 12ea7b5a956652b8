/** One Ctrl-C arrives more than once: from the terminal, and from npm, which passes it on. */
const ONE_PRESS_MS = 1_000;

/**
 * Calls `stop` once, when the process is asked to stop, and `end` at a SIGINT or SIGTERM that comes later. A terminal that is closed
 * (SIGHUP, from the system and from the shell) and a starter that was killed (run.mjs holds the other end of the channel) ask
 * for a stop, too, but never insist on it.
 */
export function onStopSignal(stop: () => void, end: () => void): void {
  let stopRequestedAt: number | undefined;
  const request = () => {
    if (stopRequestedAt !== undefined) return;
    stopRequestedAt = performance.now();
    stop();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopRequestedAt === undefined) request();
      else if (performance.now() - stopRequestedAt > ONE_PRESS_MS) end();
    });
  }
  process.on("SIGHUP", request);
  process.on("disconnect", request);
  // It is no reason to go on running.
  process.channel?.unref();
}
