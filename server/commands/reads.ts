import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Budget } from "../load/budget.ts";
import type { Database } from "../store/database.ts";
import { isTimedOut } from "../store/is-unavailable.ts";
import type { ReadTurns } from "../store/read-turns.ts";

/**
 * Reads of records, on their own connections and with a time limit each: sign-in, sessions and edits never
 * wait for them, and users who read much delay only themselves (server/load/budget.ts).
 */
export class Reads implements ReadTurns {
  readonly database: Database;
  readonly #budget: Budget;
  readonly #timeoutMs: number;

  constructor(database: Database, limits: Limits, budget: Budget) {
    this.#timeoutMs = limits.READ_TIMEOUT_MS;
    this.database = database.separatePool(limits.READS_AT_ONCE, { timeoutMs: this.#timeoutMs });
    this.#budget = budget;
  }

  run<Result>(
    { subject }: { subject: { id: string } },
    read: () => Promise<Result>,
  ): Promise<Result> {
    return this.#budget.reads.run(subject.id, async () => {
      try {
        return await read();
      } catch (error) {
        if (!isTimedOut(error)) throw error;
        throw new Refusal("query_timeout", { limit: this.#timeoutMs, unit: "milliseconds" });
      }
    });
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}
