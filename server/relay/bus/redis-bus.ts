import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from "node:crypto";
import { Listeners } from "../../../shared/listeners.ts";
import type { BusChannel } from "../../messaging/bus-channel.ts";
import type { Log } from "../log.ts";
import type { Bus, BusState, RejectedMessages, RejectReason } from "./bus.ts";
import { LocalChannels } from "./local-channels.ts";
import { RedisLink } from "./redis-link.ts";

/**
 * The bus of several servers. Everything travels on one Redis channel, probes too. A returning probe proves the very
 * subscription that the messages use, and one server's messages arrive in order. A server's own messages are delivered
 * without Redis and skipped when they come back.
 *
 * A message is `tag sender channel json`. What arrives is not trusted: whoever may publish in Redis can send anything there,
 * and a schema does not know whether a change was committed. So the tag authenticates the rest by a key that
 * the servers read from the database and Redis never receives; only then is the message parsed, by its channel's schema. Nothing
 * is encrypted, and a repeated message is accepted: it changes nothing by positions (P2), and what has none soon expires. Secrecy
 * is the business of Redis' own password and TLS (ADR 24).
 */

const PROBE_INTERVAL_MS = 1_500;
/**
 * A connection is dead, even if it looks healthy, when at so many checks in a row no probe has returned. Checks are counted and not
 * time: a server that was busy for long has had no time to read, or even to write.
 */
const UNANSWERED_CHECKS_MAX = 2;
/** Redis disconnects subscribers with 8 MB waiting for long: larger messages are read from the log. */
const MESSAGE_MAX_CHARS = 4_000_000;
/** With the tag, the sender and the name of the channel. */
const RECEIVED_MAX_CHARS = MESSAGE_MAX_CHARS + 1_000;
const KEY_BYTES = 32;
const SEPARATOR = " ";
const PROBE_CHANNEL = "probe";
/** Rejected messages are logged at most this often, so that their sender can't fill the log. */
const REJECTED_LOG_INTERVAL_MS = 60_000;

interface RedisBusOptions {
  url: string;
  /** Installations that share a Redis use different channels. */
  namespace: string;
  /** The installation's bus key: Redis never receives it. */
  key: Buffer;
  log: Log;
}

export class RedisBus implements Bus {
  readonly #channel: string;
  readonly #log: Log;
  readonly #key: Buffer;
  readonly #sender = randomUUID();
  readonly #local: LocalChannels;
  readonly #states: Listeners<BusState>;
  readonly #publisher: RedisLink;
  readonly #subscriber: RedisLink;
  readonly #probing: NodeJS.Timeout;
  readonly #rejected: Record<RejectReason, number> = { forged: 0, malformed: 0 };
  #rejectedLoggedAt = Number.NEGATIVE_INFINITY;
  #state: BusState = "degraded";
  /** The outage was logged; also if Redis was never there. */
  #isFailureLogged = false;
  /** The probes in flight, by number. */
  readonly #probes = new Set<number>();
  #lastProbe = 0;
  /** Checks in a row at which some were in flight. */
  #unanswered = 0;
  #watching: NodeJS.Immediate | undefined;

  constructor({ url, namespace, key, log }: RedisBusOptions) {
    this.#channel = `watchfloor:${namespace}`;
    this.#log = log;
    this.#key = createMessageKey(key);
    this.#local = new LocalChannels(log);
    this.#states = new Listeners((error) => log.error({ err: error }, "a bus listener failed"));
    const onDown = (error: unknown) => this.#degrade(error);
    const onUp = () => this.#sendProbe();
    this.#publisher = new RedisLink({ url, setUp: async () => undefined, onUp, onDown });
    this.#subscriber = new RedisLink({
      url,
      setUp: (client) => client.subscribe(this.#channel, (message) => this.#receive(message)),
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
    this.#local.clear();
    await Promise.all([this.#publisher.close(), this.#subscriber.close()]);
  }

  #send(channel: string, json: string): void {
    if (json.length > MESSAGE_MAX_CHARS) return;
    const message = signMessage([this.#sender, channel, json].join(SEPARATOR), this.#key);
    this.#publisher.client?.publish(this.#channel, message).catch(() => undefined);
  }

  #receive(message: string): void {
    const parts = splitMessage(message);
    const isOwn = parts?.sender === this.#sender;
    if (isOwn && parts.channel !== PROBE_CHANNEL) return;
    if (!parts || !isAuthentic(message, this.#key)) this.#reject("forged");
    else if (isOwn) this.#receiveProbe(parts.json);
    else if (parts.channel !== PROBE_CHANNEL && !this.#deliver(parts)) this.#reject("malformed");
  }

  #receiveProbe(json: string): void {
    if (this.#probes.has(Number(json))) this.#probeReturned();
  }

  #deliver({ channel, json }: MessageParts): boolean {
    try {
      return this.#local.deliverParsed(channel, JSON.parse(json));
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
    this.#lastProbe += 1;
    this.#probes.add(this.#lastProbe);
    this.#send(PROBE_CHANNEL, String(this.#lastProbe));
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

interface MessageParts {
  sender: string;
  channel: string;
  json: string;
}

/** The key of the tags, derived from the installation's. */
export function createMessageKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "watchfloor bus", KEY_BYTES));
}

/** A text with the tag before it that a server of this installation alone can make. */
export function signMessage(text: string, key: Buffer): string {
  return tagOf(text, key) + SEPARATOR + text;
}

/** Whether a server of this installation has sent a message, as it is. */
export function isAuthentic(message: string, key: Buffer): boolean {
  if (message.length > RECEIVED_MAX_CHARS) return false;
  const end = message.indexOf(SEPARATOR);
  const given = Buffer.from(message.slice(0, Math.max(end, 0)));
  const expected = Buffer.from(tagOf(message.slice(end + 1), key));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function tagOf(text: string, key: Buffer): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function splitMessage(message: string): MessageParts | null {
  const [tag = "", sender = "", channel = ""] = message.split(SEPARATOR, 3);
  const json = message.slice(tag.length + sender.length + channel.length + 3 * SEPARATOR.length);
  return json === "" ? null : { sender, channel, json };
}
