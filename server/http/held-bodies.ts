import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { NextFunction, Request, Response } from "express";
import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";

const RETRY_AFTER_S = 1;
/** A smaller body is checked in a millisecond. */
const LARGE_BODY_BYTES = 65_536;

/**
 * Bounds the bytes of request bodies that one user may have in this server's memory, from their first byte until the
 * request is answered. A single body is never refused here.
 */
export class HeldBodies {
  readonly #limits: Pick<Limits, "REQUEST_BODY_MAX_BYTES" | "REQUEST_BODIES_PER_USER_BYTES">;
  readonly #bytesOf = new Map<string, number>();
  readonly #sizes = new WeakMap<IncomingMessage, { user: string; bytes: number }>();
  /** Resolves when the last of a user's large bodies that wait was checked. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(limits: Pick<Limits, "REQUEST_BODY_MAX_BYTES" | "REQUEST_BODIES_PER_USER_BYTES">) {
    this.#limits = limits;
  }

  /** Middleware before the body is read; refuses it with `rate_limited`. */
  readonly admit = (request: Request, response: Response, next: NextFunction): void => {
    const identity: Identity = response.locals.identity;
    const user = identity.subject.id;
    const held = this.#bytesOf.get(user) ?? 0;
    const bytes = this.#announcedBytes(request);
    if (held > 0 && held + bytes > this.#limits.REQUEST_BODIES_PER_USER_BYTES) {
      throw new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
    }
    this.#sizes.set(request, { user, bytes: 0 });
    this.setSize(request, bytes);
    response.once("close", () => this.setSize(request, 0));
    next();
  };

  /**
   * Middleware after the body was read. The large bodies of one user are parsed and checked one after the other, each
   * followed by a pause as long as that took, so that others' calls come in between. `endTurn` says that it is done.
   */
  readonly waitForTurn = (request: Request, response: Response, next: NextFunction): void => {
    const size = this.#sizes.get(request);
    if (!size || size.bytes < LARGE_BODY_BYTES) {
      next();
      return;
    }
    const { user } = size;
    const before = this.#turns.get(user) ?? Promise.resolve();
    const turn = before.then(async () => {
      if (response.destroyed) return;
      const start = performance.now();
      await new Promise<void>((resolve) => {
        response.locals.endTurn = resolve;
        response.once("close", resolve);
        next();
      });
      await sleep(performance.now() - start);
    });
    this.#turns.set(user, turn);
    void turn.then(() => {
      if (this.#turns.get(user) === turn) this.#turns.delete(user);
    });
  };

  /** The body has arrived, and is this large. */
  setSize(request: IncomingMessage, bytes: number): void {
    const size = this.#sizes.get(request);
    if (!size) return;
    const held = (this.#bytesOf.get(size.user) ?? 0) + bytes - size.bytes;
    size.bytes = bytes;
    if (held > 0) this.#bytesOf.set(size.user, held);
    else this.#bytesOf.delete(size.user);
  }

  /** The largest size that is possible, where the length is unknown. */
  #announcedBytes({ headers }: Request): number {
    const { REQUEST_BODY_MAX_BYTES: largest } = this.#limits;
    if (headers["transfer-encoding"] ?? headers["content-encoding"]) return largest;
    return Math.min(Number(headers["content-length"] ?? 0), largest);
  }
}
