import type { Limits } from "../../../shared/limits.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";

export type QuotaLimits = Pick<Limits, "EVALUATIONS_PER_USER_AND_BOARD" | "EVALUATIONS_PER_USER">;

interface Evaluation {
  key: string;
  wallboard: string;
}

const RETRY_AFTER_S = 30;
const USERS_MAX = 1_000;

/**
 * How many evaluations each user has caused. An evaluation lives on for a while without subscribers, and
 * counts as long. What is already evaluated for somebody costs nothing and is never refused.
 */
export class EvaluationQuotas {
  readonly #limits: QuotaLimits;
  readonly #isEvaluated: (key: string) => boolean;
  readonly #users = new Map<string, Evaluation[]>();

  constructor(limits: QuotaLimits, isEvaluated: (key: string) => boolean) {
    this.#limits = limits;
    this.#isEvaluated = isEvaluated;
  }

  /** Counts an evaluation that is about to begin; rejects one too many with `rate_limited`. */
  take(user: string, { key, wallboard }: Evaluation): void {
    if (this.#isEvaluated(key)) return;
    const own = this.#of(user);
    const ofWallboard = own.filter((one) => one.wallboard === wallboard);
    const { EVALUATIONS_PER_USER, EVALUATIONS_PER_USER_AND_BOARD } = this.#limits;
    if (
      own.length >= EVALUATIONS_PER_USER ||
      ofWallboard.length >= EVALUATIONS_PER_USER_AND_BOARD
    ) {
      throw new Refusal("rate_limited", { retryAfter: RETRY_AFTER_S });
    }
    if (this.#users.size >= USERS_MAX) this.#removeIdle();
    this.#users.set(user, [...own, { key, wallboard }]);
  }

  #of(user: string): Evaluation[] {
    return (this.#users.get(user) ?? []).filter(({ key }) => this.#isEvaluated(key));
  }

  #removeIdle(): void {
    for (const user of this.#users.keys()) {
      if (this.#of(user).length === 0) this.#users.delete(user);
    }
  }
}
