import type { Refusal } from "../../shared/protocol/errors.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { isContention, isLockTimeout, isUnreachable } from "../store/is-unavailable.ts";
import { withPublishedModel } from "../store/published-model.ts";
import { commitAlone } from "./commit-alone.ts";
import type { CommitDeps, Unit, UnitAnswer } from "./commit-group.ts";
import { isMutationTaken, refusalOf } from "./database-error.ts";
import { redactFor } from "./evaluate-op.ts";

/** Other transactions that are in the way, one after the other: they commit the same mutation, or deadlock with it. */
const ATTEMPTS = 3;

export interface RetryDeps extends CommitDeps {
  /**
   * Loads the newest model; called when a transaction finds another version than the one it was evaluated by.
   */
  refreshModel: () => Promise<void>;
  /** Reports an unforeseen failure and returns the error to answer. */
  onFailure: (error: unknown) => Refusal;
}

/** Commits a mutation by itself and waits for locks of other programs, but not for ever: then it is "contended". */
export async function commitWithRetries(
  unit: Unit,
  deps: RetryDeps,
): Promise<{ answer: UnitAnswer; feeds: FinalizedFeed[] } | "contended"> {
  const { session, refreshModel } = deps;
  const commit = () => commitAlone(unit, deps);
  for (let attempt = 1; ; attempt += 1) {
    const { connection } = session;
    try {
      return await withPublishedModel(refreshModel, commit, () => session.rollback());
    } catch (error) {
      await session.rollback();
      if (isLockTimeout(error)) return "contended";
      const isLost = connection !== null && session.connection !== connection;
      // On a lost connection it may have been committed, as by another server: then its answer is read.
      if (isLost && isUnreachable(error)) continue;
      if (attempt < ATTEMPTS && (isMutationTaken(error) || isContention(error))) continue;
      if (isContention(error)) return "contended";
      return { answer: answerTo(error, unit, deps), feeds: [] };
    }
  }
}

function answerTo(error: unknown, { mutation: { subject, ops } }: Unit, deps: RetryDeps): Refusal {
  const model = deps.model();
  const refusal = refusalOf(error, ops[0]?.op ?? "", { model, subject });
  if (!refusal) return deps.onFailure(error);
  return redactFor(ops[0], refusal, { subject, model });
}
