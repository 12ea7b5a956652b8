import { isDeepStrictEqual } from "node:util";
import type { Database, Db } from "./database.ts";
import { type ChannelListener, listenChannel } from "./listen-channel.ts";
import { pollEvery } from "./poll-every.ts";

const CHECK_INTERVAL_MS = 10_000;

/**
 * Follows changes by any program: a channel notifies of them, and those whose notification was missed are found by
 * polling `fingerprint`, which differs whenever anything differs. `onDifferent` gets the former one, null the first time; if it
 * rejects, it is called again. Returns a function that stops.
 */
export function followChanges<Fingerprint>(
  database: Database,
  channel: string,
  {
    fingerprint,
    onDifferent,
    onFailure,
    checkIntervalMs = CHECK_INTERVAL_MS,
    ...listener
  }: ChannelListener & {
    fingerprint: (db: Db) => Promise<Fingerprint>;
    onDifferent: (found: Fingerprint, before: Fingerprint | null) => unknown;
    /** A check has failed. */
    onFailure?: (error: unknown) => unknown;
    checkIntervalMs?: number | undefined;
  },
): () => void {
  let before: Fingerprint | null = null;
  const check = async () => {
    const found = await fingerprint(database.kysely);
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
