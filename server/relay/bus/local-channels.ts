import { Listeners } from "../../../shared/listeners.ts";
import type { BusChannel } from "../../messaging/bus-channel.ts";
import type { Log } from "../log.ts";

interface Subscribed {
  channel: BusChannel<unknown>;
  listeners: Listeners<unknown>;
}

/** The subscribers of one server, by channel: the part that both buses share. */
export class LocalChannels {
  readonly #channels = new Map<string, Subscribed>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  subscribe<Message>(
    channel: BusChannel<Message>,
    handler: (message: Message) => void,
  ): () => void {
    const { listeners } = this.#channels.get(channel.name) ?? this.#create(channel);
    const remove = listeners.add((message) => handler(message as Message));
    return () => {
      remove();
      if (listeners.size === 0) this.#channels.delete(channel.name);
    };
  }

  /** A message of this server: its type is the channel's. */
  deliver(name: string, message: unknown): void {
    this.#channels.get(name)?.listeners.emit(message);
  }

  /** A message of another server. Returns false, and delivers nothing, if the schema rejects it. */
  deliverParsed(name: string, message: unknown): boolean {
    const subscribed = this.#channels.get(name);
    if (!subscribed) return true;
    const parsed = subscribed.channel.schema.safeParse(message);
    if (parsed.success) subscribed.listeners.emit(parsed.data);
    return parsed.success;
  }

  clear(): void {
    this.#channels.clear();
  }

  #create(channel: BusChannel<unknown>): Subscribed {
    const { name } = channel;
    const listeners = new Listeners<unknown>((error) =>
      this.#log.error({ err: error, channel: name }, "a bus handler failed"),
    );
    const subscribed = { channel, listeners };
    this.#channels.set(name, subscribed);
    return subscribed;
  }
}
