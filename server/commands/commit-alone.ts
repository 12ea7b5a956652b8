import { unavailable } from "../../shared/protocol/errors.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { requireModel } from "../store/published-model.ts";
import { skipTakenNumbers } from "../store/taken-numbers.ts";
import { answersOf, type Outcome, refused, toJson } from "./answers.ts";
import { mayCommit } from "./author-rights.ts";
import {
  abortOthers,
  type CommitDeps,
  evaluateOps,
  instant,
  isDecided,
  isStored,
  repeatOf,
  type Unit,
  type UnitAnswer,
} from "./commit-group.ts";
import { refusalOf, takenNumber } from "./database-error.ts";
import { redactFor } from "./evaluate-op.ts";
import { evaluateWithHistory } from "./evaluate-with-history.ts";
import { requestFor } from "./load-request.ts";
import type { Mutation } from "./op.ts";
import { withCurrentModelNames } from "./with-current-model-names.ts";
import { WorkingSet } from "./working-set.ts";

const waitForLocks = { lock: "wait" } as const;

/**
 * The slow path for a mutation that the database refused: its ops under a savepoint, and on failure its
 * halves, until the refused op is found. Other ops are not affected. A number that was given to a record by a file is no
 * reason for a refusal: the next one is.
 */
export async function commitAlone(
  unit: Unit,
  deps: CommitDeps,
): Promise<{ answer: UnitAnswer; feeds: FinalizedFeed[] }> {
  const { session } = deps;
  const { hash } = unit;
  const mutation = withCurrentModelNames(deps.model(), unit.mutation);
  const key = { ...mutation, ops: [] };
  const begun = await session.begin(requestFor([key], deps.model(), waitForLocks));
  let answer = repeatOf({ ...unit, mutation }, begun, deps.model());
  // Whether its author may see a stored refusal depends on the records.
  if (answer && !isDecided(answer)) {
    const current = deps.model();
    const loaded = await session.load(requestFor([mutation], current, waitForLocks));
    requireModel(loaded, current);
    const { mutations } = begun;
    answer = repeatOf({ ...unit, mutation }, { ...loaded, mutations }, current) as UnitAnswer;
  }
  if (answer) {
    await session.rollback();
    return { answer, feeds: [] };
  }
  let outcomes = await applyOps(mutation, instant(), deps);
  if (mutation.atomic && !isWhole(outcomes)) {
    outcomes = abortOthers(mutation, outcomes);
    await session.rollback();
    await session.begin(requestFor([key], deps.model(), waitForLocks));
  }
  // The rights may have changed while it waited for locks.
  if (!(await mayCommit(unit, deps))) throw unavailable();
  if (!isStored(unit, outcomes)) {
    await session.rollback();
    return { answer: answersOf(outcomes, []), feeds: [] };
  }
  const row = { author: mutation.actor, id: mutation.id, hash, results: toJson(outcomes) };
  const { changes, feeds } = await session.finish([], [row]);
  return { answer: answersOf(outcomes, changes), feeds };
}

const isWhole = (outcomes: readonly Outcome[]) => outcomes.every((outcome) => outcome.ok);

async function applyOps(
  mutation: Mutation,
  now: string,
  deps: CommitDeps,
  isNumberedAnew = false,
): Promise<Outcome[]> {
  const { session, model } = deps;
  const { ops, subject, atomic } = mutation;
  await session.savepoint();
  try {
    const outcomes = await writeOps(mutation, now, deps);
    await session.releaseSavepoint();
    return outcomes;
  } catch (error) {
    const [op] = ops;
    const refusal = refusalOf(error, op?.op ?? "", { model: model(), subject });
    if (!refusal || !op || refusal.code === "unavailable") throw error;
    await session.rollbackToSavepoint();
    const taken = isNumberedAnew ? null : takenNumber(error, model());
    if (taken) {
      await skipTakenNumbers(session, taken.table, taken.field);
      return applyOps(mutation, now, deps, true);
    }
    if (ops.length === 1) {
      return [refused(redactFor(op, refusal, { subject, model: model() }))];
    }
  }
  const half = Math.ceil(ops.length / 2);
  const first = await applyOps({ ...mutation, ops: ops.slice(0, half) }, now, deps);
  if (atomic && !isWhole(first)) return first;
  return [...first, ...(await applyOps({ ...mutation, ops: ops.slice(half) }, now, deps))];
}

async function writeOps(
  named: Mutation,
  now: string,
  { session, model }: CommitDeps,
): Promise<Outcome[]> {
  const current = model();
  // Another model may have been published since it was named, while it waited for its transaction to begin.
  const mutation = withCurrentModelNames(current, named);
  const loaded = await session.load(requestFor([mutation], current, waitForLocks));
  requireModel(loaded, current);
  const rows = new WorkingSet(loaded);
  const { outcomes, writes } = await evaluateWithHistory(session, (history) => {
    rows.rollback(0);
    return evaluateOps(mutation, { model: current, rows, history, now });
  });
  if (writes.length) await session.write(writes);
  return outcomes;
}
