import type { Model } from "../../shared/model/model.ts";
import { type Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type { CurrentModel } from "../store/current-model.ts";
import type { FinalizedFeed } from "../store/finalized-change.ts";
import { isContention, isLockTimeout, isUnreachable } from "../store/is-unavailable.ts";
import { requireModel, withPublishedModel } from "../store/published-model.ts";
import { skipTakenNumbers } from "../store/taken-numbers.ts";
import type { WriteSession } from "../store/write-session.ts";
import {
  abortOthers,
  answersOf,
  isDecided,
  type MutationAnswer,
  type Outcome,
  refused,
  repeatOf,
  rowOf,
} from "./answers.ts";
import { evaluateWithHistory } from "./change-history.ts";
import { evaluateOps, isStored, mayCommit, type Unit } from "./commit-group.ts";
import {
  isByTrigger,
  isMutationTaken,
  LeftOut,
  leftOut,
  refusalOf,
  takenNumber,
  triggerRefusal,
} from "./database-error.ts";
import { redactFor } from "./evaluate-op.ts";
import { instant } from "./evaluation-context.ts";
import { type Mutation, type Op, withCurrentModelNames } from "./op.ts";
import { requestFor } from "./touched-records.ts";
import { WorkingSet } from "./working-set.ts";

/**
 * The slow path, for a mutation that the database refused, or that waits for another program's lock. It is committed in a
 * transaction of its own, which waits for locks, but not for ever. Its ops are written under a savepoint, all together at first; what
 * the database refuses is divided until the refused op is found, and other ops are not affected.
 */

/** Attempts at one mutation. Other transactions are in the way, one after the other: they commit it, too, or deadlock with it. */
const ATTEMPTS = 3;

const waitForLocks = { lock: "wait" } as const;

interface AloneContext {
  model: CurrentModel;
  /** Whether the author of a mutation has the rights under which it was sent. */
  isAsSent: (mutation: Mutation) => Promise<boolean>;
  /** Reports an unforeseen failure and returns the error to answer. */
  onFailure: (error: unknown) => Refusal;
}

export interface CommittedAlone {
  answer: MutationAnswer;
  feeds: readonly FinalizedFeed[];
}

/** Commits a mutation by itself. "contended" if another program did not release its lock in time: nothing was applied. */
export async function commitAlone(
  unit: Unit,
  session: WriteSession,
  context: AloneContext,
): Promise<CommittedAlone | "contended"> {
  const commit = () => commitByModel(unit, session, context);
  const { refreshAfterFailure } = context.model;
  for (let attempt = 1; ; attempt += 1) {
    const { connection } = session;
    try {
      return await withPublishedModel(refreshAfterFailure, commit, () => session.rollback());
    } catch (error) {
      await session.rollback();
      if (isLockTimeout(error)) return "contended";
      // On a lost connection it may have been committed, as by another server: then its answer is read.
      const isLost = connection !== null && session.connection !== connection;
      const isPassing =
        isMutationTaken(error) || isContention(error) || (isLost && isUnreachable(error));
      if (isPassing && attempt < ATTEMPTS) continue;
      if (isContention(error)) return "contended";
      return { answer: answerTo(error, unit, context), feeds: [] };
    }
  }
}

function answerTo(
  error: unknown,
  { mutation: { subject, ops } }: Unit,
  { model, onFailure }: AloneContext,
): Refusal {
  const refusal = refusalOf(error, ops[0]?.op ?? "", { model: model(), subject });
  if (!refusal) return onFailure(error);
  return redactFor(ops[0], refusal, { subject, model: model() });
}

async function commitByModel(
  unit: Unit,
  session: WriteSession,
  { model, isAsSent }: AloneContext,
): Promise<CommittedAlone> {
  const mutation = withCurrentModelNames(model(), unit.mutation);
  // Locks nothing: the ops are locked as they are tried.
  const begin = () => session.begin(requestFor([{ ...mutation, ops: [] }], model(), waitForLocks));
  const { mutations } = await begin();
  const repeat = await answerRepeat({ ...unit, mutation }, mutations, session, model);
  if (repeat) {
    await session.rollback();
    return { answer: repeat, feeds: [] };
  }
  let outcomes = await applyOps(mutation, session, model);
  if (mutation.atomic && !isWhole(outcomes)) {
    outcomes = abortOthers(mutation, outcomes);
    await session.rollback();
    await begin();
  }
  // The rights may have changed while it waited for locks.
  if (!(await mayCommit(unit, isAsSent))) {
    await session.rollback();
    return { answer: unavailable(), feeds: [] };
  }
  if (!isStored(unit, outcomes)) {
    await session.rollback();
    return { answer: answersOf(outcomes, []), feeds: [] };
  }
  const { changes, feeds } = await session.finish([], [rowOf(mutation, unit.hash, outcomes)]);
  return { answer: answersOf(outcomes, changes), feeds };
}

/** The answer to a mutation that was answered before; null if it was not. */
async function answerRepeat(
  { mutation, hash }: Unit,
  mutations: Parameters<typeof repeatOf>[2]["mutations"],
  session: WriteSession,
  model: CurrentModel,
): Promise<MutationAnswer | null> {
  const answer = repeatOf(mutation, hash, { mutations, records: new Map() }, model());
  if (!answer || isDecided(answer)) return answer;
  // Whether its author may see a stored refusal depends on the records.
  const current = model();
  const { records, modelVersion } = await session.load(
    requestFor([mutation], current, waitForLocks),
  );
  requireModel({ modelVersion }, current);
  return repeatOf(mutation, hash, { mutations, records }, current);
}

const isWhole = (outcomes: readonly Outcome[]) => outcomes.every((outcome) => outcome.ok);

/** Writes the ops of a mutation in their order; a list of parts is worked off, each of which is written or divided. */
async function applyOps(
  mutation: Mutation,
  session: WriteSession,
  model: CurrentModel,
): Promise<Outcome[]> {
  const now = instant();
  const outcomes: Outcome[] = [];
  const parts: Op[][] = [mutation.ops];
  for (let ops = parts.shift(); ops; ops = parts.shift()) {
    const applied = await applyPart({ ...mutation, ops }, now, session, model);
    if (applied === "divide") {
      const half = Math.ceil(ops.length / 2);
      parts.unshift(ops.slice(0, half), ops.slice(half));
    } else {
      outcomes.push(...applied);
      if (mutation.atomic && !isWhole(applied)) break;
    }
  }
  return outcomes;
}

/**
 * Writes ops under a savepoint. Where the database refuses one op, it is answered; of several, they are to be divided. A number that
 * was given to a record by a file is no reason for a refusal: the next one is tried.
 */
async function applyPart(
  part: Mutation,
  now: string,
  session: WriteSession,
  model: CurrentModel,
): Promise<Outcome[] | "divide"> {
  const { ops, subject } = part;
  for (let isNumberedAnew = false; ; isNumberedAnew = true) {
    await session.savepoint();
    try {
      const outcomes = await writeOps(part, now, session, model());
      await session.releaseSavepoint();
      return outcomes;
    } catch (error) {
      const [op] = ops;
      const reader = { model: model(), subject };
      const isTrigger = isByTrigger(error) || error instanceof LeftOut;
      const known = isTrigger ? null : refusalOf(error, op?.op ?? "", reader);
      if (!op || !(known || isTrigger) || known?.code === "unavailable") throw error;
      await session.rollbackToSavepoint();
      const taken = isNumberedAnew ? null : takenNumber(error, model());
      if (taken) await skipTakenNumbers(session, taken.table, taken.field);
      else if (ops.length > 1) return "divide";
      else {
        const byTrigger = () =>
          error instanceof LeftOut ? leftOut(op.table) : triggerRefusal(error, op, reader, session);
        return [refused(redactFor(op, known ?? (await byTrigger()), reader))];
      }
    }
  }
}

async function writeOps(
  named: Mutation,
  now: string,
  session: WriteSession,
  model: Model,
): Promise<Outcome[]> {
  // Another model may have been published since it was named, while it waited for its transaction to begin.
  const mutation = withCurrentModelNames(model, named);
  const loaded = await session.load(requestFor([mutation], model, waitForLocks));
  requireModel(loaded, model);
  const rows = new WorkingSet(loaded);
  const { outcomes, writes } = await evaluateWithHistory(session, (history) => {
    rows.rollback(0);
    return evaluateOps(mutation, { model, rows, history, now });
  });
  if (writes.length && !(await session.write(writes))) throw new LeftOut();
  return outcomes;
}
