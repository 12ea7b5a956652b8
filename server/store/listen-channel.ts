import { setTimeout as sleep } from "node:timers/promises";
import { boundMessages } from "./bound-messages.ts";
import type { Database } from "./database.ts";

const RETRY_MS = 1_000;
const CHECK_MS = 1_000;
const CHECK_TIMEOUT_MS = 5_000;

interface ChannelListener {
  onMessage: (payload: string) => void;
  /**
   * It listens, for the first time or again, or there were more notifications than are handled one by one
   * (bound-messages.ts): messages may have been missed.
   */
  onListening?: () => void;
}

/**
 * Follows a Postgres channel on a connection of its own and reconnects by itself. The connection is checked
 * every second, because a connection can be silently dead. Returns a function that stops.
 */
export function listenChannel(
  database: Database,
  channel: string,
  listener: ChannelListener,
): () => void {
  const stopping = new AbortController();
  void run(database, channel, listener, stopping.signal);
  return () => stopping.abort();
}

async function run(
  database: Database,
  channel: string,
  listener: ChannelListener,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await listenOnce(database, channel, listener, signal).catch(() => undefined);
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Listens until the connection ends, fails or does not answer the check. */
async function listenOnce(
  database: Database,
  channel: string,
  { onMessage, onListening }: ChannelListener,
  signal: AbortSignal,
): Promise<void> {
  const client = await database.connect({ name: "watchfloor listener" });
  const ended = new AbortController();
  const end = () => ended.abort();
  client.on("end", end).on("error", end);
  const receive = onListening ? boundMessages(onMessage, onListening) : onMessage;
  client.on("notification", ({ payload }) => receive(payload ?? ""));
  try {
    await client.query(`listen ${channel}`);
    onListening?.();
    const either = AbortSignal.any([signal, ended.signal]);
    while (!either.aborted) {
      await sleep(CHECK_MS, undefined, { signal: either }).catch(() => undefined);
      if (!either.aborted) await inTime(client.query("select 1"), either);
    }
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function inTime(check: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const late = sleep(CHECK_TIMEOUT_MS, "late", { signal }).catch(() => "ended");
  if ((await Promise.race([check, late])) === "late") throw new Error("The line is dead.");
}
