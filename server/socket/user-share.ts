import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { BufferMeter } from "./buffered-bytes.ts";
import { TokenBucket } from "./token-bucket.ts";

type ShareLimits = Pick<
  Limits,
  "SOCKETS_PER_USER" | "SOCKET_MESSAGES_PER_SECOND" | "SLOW_CLIENT_BUFFER_BYTES"
>;

const RETRY_AFTER_S = 5;
/** What all connections of a user may hold, in bounds of one. */
const USER_FACTOR = 4;
/** A connection that holds less than this share of its bound is not among those that do not read. */
const READING_SHARE = 1 / 64;

/** The sockets of one user, by sessions and tokens together: how many there are, what they hold and what they send. */
export class UserShare {
  readonly bucket: TokenBucket;
  readonly #limits: ShareLimits;
  readonly #meters = new Set<BufferMeter>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
    this.bucket = new TokenBucket(limits.SOCKET_MESSAGES_PER_SECOND);
  }

  add(meter: BufferMeter): void {
    this.#meters.add(meter);
  }

  delete(meter: BufferMeter): void {
    this.#meters.delete(meter);
  }

  /**
   * Whether a connection holds more than it may: by itself, or as one of several that together do. Those of the same user
   * that read what they are sent go on.
   */
  isFull(meter: BufferMeter): boolean {
    const { SLOW_CLIENT_BUFFER_BYTES: max } = this.#limits;
    const own = meter.read();
    if (own > max || own <= max * READING_SHARE) return own > max;
    return this.#sum((one) => one.read()) > max * USER_FACTOR;
  }

  /** Whether its sockets together have received more of messages that are not whole than they may. */
  receivesTooMuch(): boolean {
    const max = this.#limits.SLOW_CLIENT_BUFFER_BYTES * USER_FACTOR;
    return this.#sum((one) => one.received()) > max;
  }

  #sum(bytesOf: (meter: BufferMeter) => number): number {
    let sum = 0;
    for (const one of this.#meters) sum += bytesOf(one);
    return sum;
  }
}

/** The shares of all users with a socket on this server. */
export class UserShares {
  readonly #limits: ShareLimits;
  readonly #shares = new Map<string, { share: UserShare; sockets: number }>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Takes a place for one more socket of a user, until the returned function is called. Refuses one too many. */
  admit(user: string): { share: UserShare; release: () => void } {
    const known = this.#shares.get(user) ?? { share: new UserShare(this.#limits), sockets: 0 };
    if (known.sockets >= this.#limits.SOCKETS_PER_USER) {
      throw new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
    }
    known.sockets += 1;
    this.#shares.set(user, known);
    const release = () => {
      known.sockets -= 1;
      if (known.sockets === 0) this.#shares.delete(user);
    };
    return { share: known.share, release };
  }
}
