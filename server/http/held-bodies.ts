import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { NextFunction, Request, Response } from "express";
import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { FairQueue } from "../load/budget.ts";
import { allowBodyTime } from "./body-deadline.ts";

/** Bodies of one user's requests that are being received or processed, per server. */
const REQUEST_BODIES_PER_USER_BYTES = 16_777_216;

const RETRY_AFTER_S = 1;
type BodyLimits = Pick<Limits, "REQUEST_BODY_MAX_BYTES" | "REQUEST_BODY_TIMEOUT_MS">;

interface HeldBody {
  user: string;
  bytes: number;
  /** When all of it was there. */
  receivedAt?: number;
}

/** A smaller body is received and checked in a fraction of a millisecond; fifty of a user at once delay others by a few. */
const LARGE_BODY_BYTES = 16_384;
/** Pauses after a body, each as long as it took. */
const RESTS = 2;
/** Added for what follows the check: at the least a statement that finds nothing, and an answer. */
const FOLLOWS_MS = 1;
/** About twice what receiving and decoding takes the processor. How long it took can't be measured: most of that is the sender's time. */
const RECEIVED_BYTES_PER_MS = 131_072;

/**
 * Bounds the bytes of request bodies that one user may have in this server's memory, from their first byte until the
 * request is answered. A single body is never refused here. Large ones of one user are received and checked one after the other,
 * also those of all their tokens: those that wait stay with their senders, and others' calls come in between.
 */
export class HeldBodies {
  readonly #limits: BodyLimits;
  readonly #bytesOf = new Map<string, number>();
  readonly #bodies = new WeakMap<IncomingMessage, HeldBody>();
  /** Large bodies: one of a user at a time. Those that wait are bounded by the user's connections. */
  readonly #large = new FairQueue({
    parallel: Number.POSITIVE_INFINITY,
    perUser: 1,
    waitingPerUser: Number.POSITIVE_INFINITY,
  });

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Middleware before the body is read, of at most so many bytes; refuses it with `rate_limited`. */
  admit(maxBytes = this.#limits.REQUEST_BODY_MAX_BYTES) {
    return (request: Request, response: Response, next: NextFunction): void => {
      const identity: Identity = response.locals.identity;
      const user = identity.subject.id;
      const held = this.#bytesOf.get(user) ?? 0;
      const bytes = announcedBytes(request, maxBytes);
      if (held > 0 && held + bytes > REQUEST_BODIES_PER_USER_BYTES) {
        throw new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
      }
      this.#bodies.set(request, { user, bytes: 0 });
      this.#setSize(request, bytes);
      response.once("close", () => this.#setSize(request, 0));
      next();
    };
  }

  /**
   * Middleware before the body is read, and after `admit`. A large body waits until those before it were checked, and after
   * a pause twice as long as that took, so that others find two thirds of the time. Its time begins with its turn. `endTurn` says that it was checked.
   */
  readonly waitForTurn = (request: Request, response: Response, next: NextFunction): void => {
    const held = this.#bodies.get(request);
    if (!held || held.bytes < LARGE_BODY_BYTES) {
      next();
      return;
    }
    allowBodyTime(request, null);
    void this.#large.run(held.user, async () => {
      if (response.destroyed) return;
      allowBodyTime(request, this.#limits.REQUEST_BODY_TIMEOUT_MS);
      const received = held.bytes;
      await new Promise<void>((resolve) => {
        response.locals.endTurn = resolve;
        response.once("close", resolve);
        next();
      });
      const { receivedAt } = held;
      if (receivedAt === undefined) return;
      const checked = performance.now() - receivedAt;
      const took = received / RECEIVED_BYTES_PER_MS + checked + FOLLOWS_MS;
      await sleep(RESTS * took);
    });
  };

  /** The body has arrived, and is this large. */
  received(request: IncomingMessage, bytes: number): void {
    const held = this.#bodies.get(request);
    if (held) held.receivedAt = performance.now();
    this.#setSize(request, bytes);
  }

  #setSize(request: IncomingMessage, bytes: number): void {
    const held = this.#bodies.get(request);
    if (!held) return;
    const all = (this.#bytesOf.get(held.user) ?? 0) + bytes - held.bytes;
    held.bytes = bytes;
    if (all > 0) this.#bytesOf.set(held.user, all);
    else this.#bytesOf.delete(held.user);
  }
}

/** The largest size that is possible, where the length is unknown. */
function announcedBytes({ headers }: Request, largest: number): number {
  if (headers["transfer-encoding"] ?? headers["content-encoding"]) return largest;
  return Math.min(Number(headers["content-length"] ?? 0), largest);
}
