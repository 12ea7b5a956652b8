import type { Refusal } from "../../shared/protocol/errors.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { isContention } from "../store/is-unavailable.ts";
import { withPublishedModel } from "../store/published-model.ts";
import { commitAlone } from "./commit-alone.ts";
import type { CommitDeps, Unit, UnitAnswer } from "./commit-group.ts";
import { isMutationTaken, refusalOf } from "./database-error.ts";
import { redactFor } from "./evaluate-op.ts";

/** Servers that commit the same mutation at the same time, one after the other. */
const TAKEN_ATTEMPTS = 3;

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
    try {
      return await withPublishedModel(refreshModel, commit, () => session.rollback());
    } catch (error) {
      await session.rollback();
      if (isContention(error)) return "contended";
      // Another server has committed the same mutation meanwhile: its answer is read.
      if (!isMutationTaken(error) || attempt >= TAKEN_ATTEMPTS)
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
