/** Does work until it is stopped. Returns a function that stops it, also in the middle, and waits for its end. */
export function untilStopped(work: (stopping: AbortSignal) => Promise<void>): () => Promise<void> {
  const stopping = new AbortController();
  const running = work(stopping.signal).catch(() => undefined);
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Does work at every interval. Returns a function that stops. */
export function every(intervalMs: number, work: () => void): () => void {
  const timer = setInterval(work, intervalMs);
  return () => clearInterval(timer);
}
