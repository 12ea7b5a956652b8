import { isDeepStrictEqual } from "node:util";
import type { Database, Db } from "./database.ts";
import { type ChannelListener, listenChannel } from "./listen-channel.ts";
import { pollEvery } from "./poll-every.ts";

const CHECK_INTERVAL_MS = 10_000;

/**
 * Follows changes by any program: a channel notifies of them, and those whose notification was missed are found by
 * polling `print`, which differs whenever anything differs. `onDifferent` gets the former one, null the first time; if it
 * rejects, it is called again. Returns a function that stops.
 */
export function followChanges<Print>(
  database: Database,
  channel: string,
  {
    print,
    onDifferent,
    onFailure,
    checkIntervalMs = CHECK_INTERVAL_MS,
    ...listener
  }: ChannelListener & {
    print: (db: Db) => Promise<Print>;
    onDifferent: (found: Print, before: Print | null) => unknown;
    /** A check has failed. */
    onFailure?: (error: unknown) => unknown;
    checkIntervalMs?: number | undefined;
  },
): () => void {
  let before: Print | null = null;
  const check = async () => {
    const found = await print(database.kysely);
    if (!isDeepStrictEqual(found, before)) await onDifferent(found, before);
    before = found;
  };
  const stopPolling = pollEvery(checkIntervalMs, check, onFailure);
  const stopListening = listenChannel(database, channel, listener);
  return () => {
    stopPolling();
    stopListening();
  };
}
