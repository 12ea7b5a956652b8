import { randomUUID } from "node:crypto";
import { Listeners } from "../listeners.ts";
import type { Log } from "../log.ts";
import type { Bus, BusHandler, BusState } from "./bus.ts";
import { LocalChannels } from "./local-channels.ts";
import { RedisLink } from "./redis-link.ts";

/**
 * The bus of several nodes. Everything travels on one Redis channel, probes too: a probe that comes
 * back proves the very subscription that the messages use, and one node's messages keep their order.
 * The own messages are delivered without Redis and skipped, unparsed, when they come back.
 */

const PROBE_INTERVAL_MS = 1_500;
/** Without a probe back for so long the line is dead, whatever it looks like. */
const PROBE_TIMEOUT_MS = 4_000;
/** Redis cuts subscribers that have 8 MB waiting for long: what is larger is read from the log. */
const MESSAGE_MAX_CHARS = 4_000_000;
const SEPARATOR = " ";
const PROBE_CHANNEL = "probe";

export interface RedisBusOptions {
  url: string;
  /** Deployments that share a Redis must not hear each other. */
  namespace: string;
  log: Log;
}

export function createRedisBus(options: RedisBusOptions): Bus {
  return new RedisBus(options);
}

class RedisBus implements Bus {
  readonly #node = randomUUID();
  readonly #channel: string;
  readonly #log: Log;
  readonly #local: LocalChannels;
  readonly #states: Listeners<BusState>;
  readonly #publisher: RedisLink;
  readonly #subscriber: RedisLink;
  readonly #probing: NodeJS.Timeout;
  #state: BusState = "degraded";
  /** That it is away was said; also where it was never there. */
  #complained = false;
  #probedAt = performance.now();

  constructor({ url, namespace, log }: RedisBusOptions) {
    this.#channel = `watchfloor:${namespace}`;
    this.#log = log;
    this.#local = new LocalChannels(log);
    this.#states = new Listeners((error) => log.error({ err: error }, "a bus listener failed"));
    const onDown = (error: unknown) => this.#degrade(error);
    const onUp = () => this.#probe();
    this.#publisher = new RedisLink({ url, setUp: async () => undefined, onUp, onDown });
    this.#subscriber = new RedisLink({
      url,
      setUp: (client) => client.subscribe(this.#channel, (text) => this.#receive(text)),
      onUp,
      onDown,
    });
    this.#probing = setInterval(() => this.#watch(), PROBE_INTERVAL_MS);
  }

  publish(channel: string, message: unknown): void {
    if (this.#state === "live") this.#send(channel, JSON.stringify(message));
    this.#local.deliver(channel, message);
  }

  subscribe(channel: string, handler: BusHandler): () => void {
    return this.#local.subscribe(channel, handler);
  }

  state(): BusState {
    return this.#state;
  }

  onState(listener: (state: BusState) => void): () => void {
    return this.#states.add(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#probing);
    this.#local.clear();
    await Promise.all([this.#publisher.close(), this.#subscriber.close()]);
  }

  #send(channel: string, text: string): void {
    if (text.length > MESSAGE_MAX_CHARS) return;
    const { client } = this.#publisher;
    const envelope = this.#node + SEPARATOR + channel + SEPARATOR + text;
    client?.publish(this.#channel, envelope).catch(() => undefined);
  }

  #receive(envelope: string): void {
    const afterNode = envelope.indexOf(SEPARATOR);
    const afterChannel = envelope.indexOf(SEPARATOR, afterNode + 1);
    if (afterNode < 0 || afterChannel < 0) return;
    const own = afterNode === this.#node.length && envelope.startsWith(this.#node);
    const channel = envelope.slice(afterNode + 1, afterChannel);
    if (own) {
      if (channel === PROBE_CHANNEL) this.#heardProbe();
      return;
    }
    if (channel === PROBE_CHANNEL) return;
    const message = parse(envelope.slice(afterChannel + 1));
    if (message !== undefined) this.#local.deliver(channel, message);
  }

  #probe(): void {
    if (this.#publisher.client && this.#subscriber.client) this.#send(PROBE_CHANNEL, "0");
  }

  #heardProbe(): void {
    this.#probedAt = performance.now();
    if (!this.#publisher.client || !this.#subscriber.client) return;
    this.#become("live");
  }

  #watch(): void {
    const connected = this.#publisher.client && this.#subscriber.client;
    if (connected && performance.now() - this.#probedAt > PROBE_TIMEOUT_MS) {
      this.#probedAt = performance.now();
      this.#degrade(new Error("the subscription delivers nothing"));
      this.#publisher.restart("no probe came back");
      this.#subscriber.restart("no probe came back");
      return;
    }
    if (!connected) this.#probedAt = performance.now();
    this.#probe();
  }

  #degrade(error: unknown): void {
    if (!this.#complained) this.#log.warn({ err: error }, "the bus is degraded");
    this.#complained = true;
    this.#become("degraded");
  }

  #become(state: BusState): void {
    if (this.#state === state) return;
    this.#state = state;
    if (state === "live") {
      this.#complained = false;
      this.#log.info("the bus is live");
    }
    this.#states.emit(state);
  }
}

/** Other nodes are trusted, but a stranger on the same Redis must not take a node down. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
