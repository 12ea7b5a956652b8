import type { Server, ServerResponse } from "node:http";
import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

const RETRY_AFTER_S = 1;

/**
 * Bounds what is held in memory for clients that do not read their answers. An answer of which the reader takes nothing
 * for a while is ended with its connection; TCP alone would wait for hours. And the answers of one user that are not
 * read yet are bounded in bytes, on public routes those of one address. A single answer is never refused.
 */
export class UnreadAnswers {
  readonly #limits: Pick<Limits, "ANSWER_STALL_TIMEOUT_MS" | "ANSWERS_PER_USER_BYTES">;
  readonly #bytesOf = new Map<string, number>();

  constructor(limits: Pick<Limits, "ANSWER_STALL_TIMEOUT_MS" | "ANSWERS_PER_USER_BYTES">) {
    this.#limits = limits;
  }

  /** Ends stalled answers. Call it when all other listeners of the server are in place. */
  watch(server: Server): void {
    server.prependListener("request", (_request, response: ServerResponse) => {
      // Node calls it when the connection moved no byte in either direction for so long. Nothing to read means that the
      // server is at work.
      response.setTimeout(this.#limits.ANSWER_STALL_TIMEOUT_MS, () => {
        if (response.writableLength > 0) response.destroy();
      });
    });
  }

  /** Refuses a request of a user or an address that reads too little. */
  requireCapacity(owner: string): void {
    if ((this.#bytesOf.get(owner) ?? 0) >= this.#limits.ANSWERS_PER_USER_BYTES)
      throw tooManyBytes();
  }

  /** Counts an answer until it was read. One that would exceed the bound is refused, if its request may be repeated. */
  count(owner: string, response: ServerResponse, bytes: number, mayRefuse: boolean): void {
    const before = this.#bytesOf.get(owner) ?? 0;
    if (mayRefuse && before > 0 && before + bytes > this.#limits.ANSWERS_PER_USER_BYTES) {
      throw tooManyBytes();
    }
    if (response.destroyed) return;
    this.#bytesOf.set(owner, before + bytes);
    response.once("close", () => {
      const left = (this.#bytesOf.get(owner) ?? 0) - bytes;
      if (left > 0) this.#bytesOf.set(owner, left);
      else this.#bytesOf.delete(owner);
    });
  }
}

const tooManyBytes = () => new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
