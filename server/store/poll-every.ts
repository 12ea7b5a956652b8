import { every } from "./every.ts";

/**
 * Polls the database now and at every interval, but never twice at a time: an older answer that came last would pass for
 * a change. A poll that fails is ignored: the next one compares with what was known before.
 * Returns a function that stops.
 */
export function pollEvery(intervalMs: number, poll: () => Promise<void>): () => void {
  let isPolling = false;
  const pollOnce = async () => {
    if (isPolling) return;
    isPolling = true;
    await poll().catch(() => undefined);
    isPolling = false;
  };
  void pollOnce();
  return every(intervalMs, pollOnce);
}
