import { every } from "./every.ts";

/**
 * Polls the database now and at every interval, but never twice at a time: an older answer that came last would pass for
 * a change. A poll that fails changes nothing: the next one compares with what was known before.
 * Returns a function that stops.
 */
export function pollEvery(
  intervalMs: number,
  poll: () => Promise<void>,
  onFailure: (error: unknown) => unknown = () => {},
): () => void {
  let isPolling = false;
  const pollOnce = async () => {
    if (isPolling) return;
    isPolling = true;
    await poll().catch((error: unknown) => void onFailure(error));
    isPolling = false;
  };
  void pollOnce();
  return every(intervalMs, pollOnce);
}
