import { Listeners } from "../listeners.ts";
import type { Log } from "../log.ts";
import type { BusHandler } from "./bus.ts";

/** The subscribers of one node, by channel: the half that both buses share. */
export class LocalChannels {
  readonly #channels = new Map<string, Listeners<unknown>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe(channel: string, handler: BusHandler): () => void {
    const listeners = this.#channels.get(channel) ?? this.#create(channel);
    const remove = listeners.add(handler);
    return () => {
      remove();
      if (listeners.size === 0) this.#channels.delete(channel);
    };
  }

  deliver(channel: string, message: unknown): void {
    this.#channels.get(channel)?.emit(message);
  }

  clear(): void {
    this.#channels.clear();
  }

  #create(channel: string): Listeners<unknown> {
    const listeners = new Listeners<unknown>((error) =>
      this.#log.error({ err: error, channel }, "a bus handler failed"),
    );
    this.#channels.set(channel, listeners);
    return listeners;
  }
}
