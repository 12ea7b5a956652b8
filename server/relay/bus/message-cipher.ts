import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { RejectReason } from "./bus.ts";

/**
 * Encrypts and authenticates messages between servers (AES-256-GCM), so that Redis, and whoever has
 * access to it, can neither read, alter nor invent one (ADR 24).
 *
 * `[version 1][sender 16][counter 6][time 6] ciphertext [tag 16]`, the header authenticated as well.
 * Every sender draws an id at its start and has a key of its own, derived from the installation's
 * key, so its counter can serve as the nonce. A message is accepted once: its counter must be above
 * the last one of its sender, and its time within `MESSAGE_MAX_AGE_MS`. A sender is therefore
 * remembered for longer than its messages stay valid.
 */

const VERSION = 1;
const SENDER_BYTES = 16;
const NUMBER_BYTES = 6;
const COUNTER_AT = 1 + SENDER_BYTES;
const TIME_AT = COUNTER_AT + NUMBER_BYTES;
const HEADER_BYTES = TIME_AT + NUMBER_BYTES;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;
const ALGORITHM = "aes-256-gcm";
/** Slower messages are dropped; their content is read from the log. */
const MESSAGE_MAX_AGE_MS = 10_000;
const SENDER_RETENTION_MS = 4 * MESSAGE_MAX_AGE_MS;

interface Sender {
  key: Buffer;
  /** The highest counter that was accepted. */
  counter: number;
  receivedAt: number;
}

export class MessageCipher {
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #id = randomBytes(SENDER_BYTES);
  readonly #ownKey: Buffer;
  readonly #senders = new Map<string, Sender>();
  #counter = 0;

  /** `now`: milliseconds of a clock that all servers share. */
  constructor(key: Buffer, now: () => number) {
    this.#key = key;
    this.#now = now;
    this.#ownKey = this.#keyOf(this.#id);
  }

  /** The counter of the message that was encrypted last. */
  get counter(): number {
    return this.#counter;
  }

  encrypt(text: string): Buffer {
    this.#counter += 1;
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    header[0] = VERSION;
    this.#id.copy(header, 1);
    header.writeUIntBE(this.#counter, COUNTER_AT, NUMBER_BYTES);
    header.writeUIntBE(Math.max(0, Math.round(this.#now())), TIME_AT, NUMBER_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#ownKey, nonceOf(header)).setAAD(header);
    return Buffer.concat([
      header,
      cipher.update(text, "utf8"),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
  }

  /** The counter of a message that names this server as its sender; null for any other. Not verified. */
  ownCounter(message: Buffer): number | null {
    if (message.length < HEADER_BYTES + TAG_BYTES) return null;
    const isOwn = this.#id.equals(message.subarray(1, COUNTER_AT));
    return isOwn ? message.readUIntBE(COUNTER_AT, NUMBER_BYTES) : null;
  }

  /** Verifies a message of this server that came back. */
  verifyOwn(message: Buffer): boolean {
    return open(message, this.#ownKey) !== null;
  }

  /** The text of another server's message, or why it is rejected. */
  decrypt(message: Buffer): { text: string } | { rejected: RejectReason } {
    if (message.length < HEADER_BYTES + TAG_BYTES || message[0] !== VERSION) {
      return { rejected: "forged" };
    }
    const sender = message.toString("latin1", 1, COUNTER_AT);
    const known = this.#senders.get(sender);
    const counter = message.readUIntBE(COUNTER_AT, NUMBER_BYTES);
    const key = known?.key ?? this.#keyOf(message.subarray(1, COUNTER_AT));
    const text = open(message, key);
    if (text === null) return { rejected: "forged" };
    const now = this.#now();
    const age = now - message.readUIntBE(TIME_AT, NUMBER_BYTES);
    const isReplayed = known !== undefined && counter <= known.counter;
    if (isReplayed || Math.abs(age) > MESSAGE_MAX_AGE_MS) return { rejected: "replayed" };
    if (!known) this.#removeIdleSenders(now);
    this.#senders.set(sender, { key, counter, receivedAt: now });
    return { text };
  }

  #keyOf(sender: Buffer): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#key, sender, "watchfloor bus", KEY_BYTES));
  }

  #removeIdleSenders(now: number): void {
    for (const [id, { receivedAt }] of this.#senders) {
      if (now - receivedAt > SENDER_RETENTION_MS) this.#senders.delete(id);
    }
  }
}

function nonceOf(message: Buffer): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  message.copy(nonce, NONCE_BYTES - NUMBER_BYTES, COUNTER_AT, TIME_AT);
  return nonce;
}

function open(message: Buffer, key: Buffer): string | null {
  const decipher = createDecipheriv(ALGORITHM, key, nonceOf(message), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(message.subarray(0, HEADER_BYTES));
  decipher.setAuthTag(message.subarray(message.length - TAG_BYTES));
  try {
    const body = decipher.update(message.subarray(HEADER_BYTES, message.length - TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
