import { setTimeout as sleep } from "node:timers/promises";
import { boundMessages } from "./bound-messages.ts";
import type { Database } from "./database.ts";

const RETRY_MS = 1_000;
const CHECK_MS = 1_000;
const CHECK_TIMEOUT_MS = 5_000;

export interface ChannelListener {
  onMessage: (payload: string) => void;
  /**
   * It listens, for the first time or again, or there were more notifications than are handled one by one
   * (bound-messages.ts): messages may have been missed.
   */
  onListening?: () => void;
}

/**
 * Follows a Postgres channel, on a connection that all channels of the database share, and reconnects by itself. The
 * connection is checked every second, because it can be silently dead, or lead to a Postgres that accepts no changes any more. Returns a function that stops.
 */
export function listenChannel(
  database: Database,
  channel: string,
  { onMessage, onListening }: ChannelListener,
): () => void {
  const receive = onListening ? boundMessages(onMessage, onListening) : onMessage;
  return database.listener.add({ channel, receive, onListening });
}

interface Followed {
  channel: string;
  receive: (payload: string) => void;
  onListening: (() => void) | undefined;
}

/** The connection is open while something is followed. */
export class ListenConnection {
  readonly #connect: Database["connect"];
  readonly #check: Database["check"];
  readonly #followed = new Set<Followed>();
  #stopping = new AbortController();
  /** Something was added. */
  #wake = () => {};

  constructor(connect: Database["connect"], check: Database["check"]) {
    this.#connect = connect;
    this.#check = check;
  }

  add(followed: Followed): () => void {
    this.#followed.add(followed);
    if (this.#followed.size === 1) void this.#run();
    else this.#wake();
    return () => {
      if (this.#followed.delete(followed) && this.#followed.size === 0) this.#stopping.abort();
    };
  }

  async #run(): Promise<void> {
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#listenOnce(signal).catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Listens until the connection ends, fails or does not answer the check. */
  async #listenOnce(signal: AbortSignal): Promise<void> {
    const client = await this.#connect({ name: "watchfloor listener" });
    const ended = new AbortController();
    const end = () => ended.abort();
    client.on("end", end).on("error", end);
    client.on("notification", ({ channel, payload }) => {
      for (const followed of this.#followed) {
        if (followed.channel === channel) followed.receive(payload ?? "");
      }
    });
    const either = AbortSignal.any([signal, ended.signal]);
    const listening = new Set<Followed>();
    try {
      while (!either.aborted) {
        // One after the other: the driver's connections no longer queue statements. Finds what is added meanwhile, too.
        for (const followed of this.#followed) {
          if (listening.has(followed)) continue;
          await inTime(client.query(`listen ${followed.channel}`), either);
          if (either.aborted) return;
          listening.add(followed);
          if (this.#followed.has(followed)) followed.onListening?.();
        }
        await this.#pause(either);
        if (!either.aborted) await inTime(this.#check(client), either);
      }
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** Until the next check, or until something is added. */
  async #pause(signal: AbortSignal): Promise<void> {
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await Promise.race([woken, sleep(CHECK_MS, undefined, { signal }).catch(() => undefined)]);
  }
}

/** Fails if a statement is not answered in time; an abort ends the wait at once. */
async function inTime(answer: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const answered = new AbortController();
  const either = AbortSignal.any([signal, answered.signal]);
  const late = sleep(CHECK_TIMEOUT_MS, "late", { signal: either }).catch(() => "ended");
  try {
    if ((await Promise.race([answer, late])) === "late") throw new Error("The line is dead.");
  } finally {
    answered.abort();
  }
}
