import { Listeners } from "../../../shared/listeners.ts";
import type { BusChannel } from "../../messaging/bus-channel.ts";
import type { Log } from "../log.ts";
import type { Bus, BusState, RejectedMessages, RejectReason } from "./bus.ts";
import { LocalChannels } from "./local-channels.ts";
import { MessageCipher } from "./message-cipher.ts";
import { RedisLink } from "./redis-link.ts";

/**
 * The bus of several servers. Everything travels encrypted on one Redis channel, probes too. A returning
 * probe proves the very subscription that the messages use, and one server's messages arrive in order. A
 * server's own messages are delivered without Redis and skipped when they come back.
 */

const PROBE_INTERVAL_MS = 1_500;
/**
 * A connection is dead, even if it looks healthy, when at so many checks in a row no probe has returned. Checks are counted and not
 * time: a server that was busy for long has had no time to read, or even to write.
 */
const UNANSWERED_CHECKS_MAX = 2;
/** Redis disconnects subscribers with 8 MB waiting for long: larger messages are read from the log. */
const MESSAGE_MAX_CHARS = 4_000_000;
const SEPARATOR = " ";
const PROBE_CHANNEL = "probe";
/** Rejected messages are logged at most this often, so that their sender can't fill the log. */
const REJECTED_LOG_INTERVAL_MS = 60_000;

interface RedisBusOptions {
  url: string;
  /** Installations that share a Redis use different channels. */
  namespace: string;
  /** The installation's bus key (256 bits): Redis never receives it. */
  key: Buffer;
  /** Milliseconds of a clock that all servers of the installation share; stopped with the bus. */
  clock: { now(): number; stop(): void };
  log: Log;
}

export class RedisBus implements Bus {
  readonly #channel: string;
  readonly #log: Log;
  readonly #clock: RedisBusOptions["clock"];
  readonly #cipher: MessageCipher;
  readonly #local: LocalChannels;
  readonly #states: Listeners<BusState>;
  readonly #publisher: RedisLink;
  readonly #subscriber: RedisLink;
  readonly #probing: NodeJS.Timeout;
  readonly #rejected: Record<RejectReason, number> = { forged: 0, replayed: 0, malformed: 0 };
  #rejectedLoggedAt = Number.NEGATIVE_INFINITY;
  #state: BusState = "degraded";
  /** The outage was logged; also if Redis was never there. */
  #isFailureLogged = false;
  /** The counters of the probes in flight. */
  readonly #probes = new Set<number>();
  /** Checks in a row at which some were in flight. */
  #unanswered = 0;
  #watching: NodeJS.Immediate | undefined;

  constructor({ url, namespace, key, clock, log }: RedisBusOptions) {
    this.#clock = clock;
    this.#channel = `watchfloor:${namespace}`;
    this.#log = log;
    this.#cipher = new MessageCipher(key, clock.now);
    this.#local = new LocalChannels(log);
    this.#states = new Listeners((error) => log.error({ err: error }, "a bus listener failed"));
    const onDown = (error: unknown) => this.#degrade(error);
    const onUp = () => this.#sendProbe();
    this.#publisher = new RedisLink({ url, setUp: async () => undefined, onUp, onDown });
    this.#subscriber = new RedisLink({
      url,
      setUp: (client) => client.subscribe(this.#channel, (data) => this.#receive(data), true),
      onUp,
      onDown,
    });
    // After what has arrived was read: a server that was busy for long does not assume that Redis is dead.
    this.#probing = setInterval(() => {
      this.#watching = setImmediate(() => this.#watch());
    }, PROBE_INTERVAL_MS);
  }

  publish<Message>({ name }: BusChannel<Message>, message: NoInfer<Message>): void {
    if (this.#state === "live") this.#send(name, JSON.stringify(message));
    this.#local.deliver(name, message);
  }

  subscribe<Message>(
    channel: BusChannel<Message>,
    handler: (message: Message) => void,
  ): () => void {
    return this.#local.subscribe(channel, handler);
  }

  state(): BusState {
    return this.#state;
  }

  onState(listener: (state: BusState) => void): () => void {
    return this.#states.add(listener);
  }

  rejected(): RejectedMessages {
    return { ...this.#rejected };
  }

  async close(): Promise<void> {
    clearInterval(this.#probing);
    clearImmediate(this.#watching);
    this.#clock.stop();
    this.#local.clear();
    await Promise.all([this.#publisher.close(), this.#subscriber.close()]);
  }

  #send(channel: string, text: string): void {
    if (text.length > MESSAGE_MAX_CHARS) return;
    const message = this.#cipher.encrypt(channel + SEPARATOR + text);
    this.#publisher.client?.publish(this.#channel, message).catch(() => undefined);
  }

  #receive(data: Buffer): void {
    const own = this.#cipher.ownCounter(data);
    if (own !== null) {
      if (this.#probes.has(own) && this.#cipher.verifyOwn(data)) this.#probeReturned();
      return;
    }
    const opened = this.#cipher.decrypt(data);
    if ("rejected" in opened) this.#reject(opened.rejected);
    else if (!this.#deliver(opened.text)) this.#reject("malformed");
  }

  #deliver(text: string): boolean {
    const end = text.indexOf(SEPARATOR);
    const channel = text.slice(0, end);
    if (channel === PROBE_CHANNEL) return true;
    try {
      return this.#local.deliverParsed(channel, JSON.parse(text.slice(end + 1)));
    } catch {
      return false;
    }
  }

  #reject(reason: RejectReason): void {
    this.#rejected[reason] += 1;
    const now = performance.now();
    if (now - this.#rejectedLoggedAt < REJECTED_LOG_INTERVAL_MS) return;
    this.#rejectedLoggedAt = now;
    this.#log.warn({ rejected: this.rejected() }, "messages on the bus were rejected");
  }

  #sendProbe(): void {
    if (!this.#publisher.client || !this.#subscriber.client) return;
    this.#send(PROBE_CHANNEL, "0");
    this.#probes.add(this.#cipher.counter);
  }

  #probeReturned(): void {
    this.#probes.clear();
    this.#unanswered = 0;
    if (!this.#publisher.client || !this.#subscriber.client) return;
    this.#become("live");
  }

  #watch(): void {
    const connected = this.#publisher.client && this.#subscriber.client;
    this.#unanswered = connected && this.#probes.size > 0 ? this.#unanswered + 1 : 0;
    if (this.#unanswered >= UNANSWERED_CHECKS_MAX) {
      this.#unanswered = 0;
      this.#probes.clear();
      this.#degrade(new Error("the subscription delivers nothing"));
      this.#publisher.restart("no probe came back");
      this.#subscriber.restart("no probe came back");
      return;
    }
    if (!connected) this.#probes.clear();
    this.#sendProbe();
  }

  #degrade(error: unknown): void {
    if (!this.#isFailureLogged) this.#log.warn({ err: error }, "the bus is degraded");
    this.#isFailureLogged = true;
    this.#become("degraded");
  }

  #become(state: BusState): void {
    if (this.#state === state) return;
    this.#state = state;
    if (state === "live") {
      this.#isFailureLogged = false;
      this.#log.info("the bus is live");
    }
    this.#states.emit(state);
  }
}
