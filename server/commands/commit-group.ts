import type { Model } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { withReadableChecks } from "../policy/visible-model.ts";
import type { CurrentModel } from "../store/current-model.ts";
import type { Finalized, FinalizedFeed } from "../store/finalized-change.ts";
import type { LoadedRows } from "../store/load-for-write.ts";
import { requireModel, withPublishedModel } from "../store/published-model.ts";
import type { WriteSession } from "../store/write-session.ts";
import type { RowWrite } from "../store/write-statements.ts";
import {
  abortOthers,
  answersOf,
  isDecided,
  type MutationAnswer,
  type Outcome,
  refused,
  repeatOf,
  rowOf,
  withoutLeftOut,
} from "./answers.ts";
import { evaluateWithHistory } from "./change-history.ts";
import { evaluateOp } from "./evaluate-op.ts";
import { type EvaluationContext, instant } from "./evaluation-context.ts";
import { type Mutation, withCurrentModelNames } from "./op.ts";
import { linkedRecords, recordKey, requestFor } from "./touched-records.ts";
import { WorkingSet } from "./working-set.ts";

/** A pending mutation; the `hash` of its content detects another use of its id. */
export interface Unit {
  mutation: Mutation;
  hash: string;
  /** The rights of its author may have changed after it was sent: they are looked up before it is committed. */
  isStale: boolean;
  /** Whether its answer is stored for a repeat if it is refused as a whole: only so many bytes of one user are. */
  storesRefusal: boolean;
}

/** Look-ups of rights that change all the time, before the mutation is answered `unavailable`. */
const LOOK_UPS = 5;

/** Whether a mutation may be committed: rights that may have changed since it was sent are looked up. */
export async function mayCommit(
  unit: Unit,
  isAsSent: (mutation: Mutation) => Promise<boolean>,
): Promise<boolean> {
  for (let left = LOOK_UPS; unit.isStale; left -= 1) {
    // A change during the look-up sets it again.
    unit.isStale = false;
    if (left === 0 || !(await isAsSent(unit.mutation))) return false;
  }
  return true;
}

/** The outcome of a mutation that waits for another program's lock on these records. */
export class ContendedUnit {
  readonly records: readonly string[];

  constructor(records: readonly string[]) {
    this.records = records;
  }
}

/** What a commit did: an answer for each mutation, and what it added to the log. */
export interface CommittedGroup {
  answers: (MutationAnswer | ContendedUnit)[];
  feeds: readonly FinalizedFeed[];
}

/**
 * Group commit: mutations of many users in one transaction, two round trips, one fsync. Rows are locked and mutations evaluated
 * first; refused ones are left out. Null if a mutation has become stale meanwhile; then, and if it throws because the database
 * refuses a statement, nothing of the group was applied, and the caller rolls back.
 */
export function commitGroup(
  units: readonly Unit[],
  session: WriteSession,
  model: CurrentModel,
): Promise<CommittedGroup | null> {
  return withPublishedModel(
    model.refreshAfterFailure,
    () => commitByModel(units, session, model()),
    () => session.rollback(),
  );
}

async function commitByModel(
  sent: readonly Unit[],
  session: WriteSession,
  model: Model,
): Promise<CommittedGroup | null> {
  const units = sent.map((unit) => ({
    ...unit,
    mutation: withCurrentModelNames(model, unit.mutation),
  }));
  const mutations = units.map((unit) => unit.mutation);
  const loaded = await session.begin(requestFor(mutations, model, { lock: "skip" }));
  requireModel(loaded, model);
  const rows = new WorkingSet(loaded);
  const now = instant();
  const evaluated = await evaluateWithHistory(session, (history) => {
    // While the group waited for locks.
    if (sent.some(({ isStale }) => isStale)) return null;
    rows.rollback(0);
    return units.map((unit) => evaluateUnit(unit, loaded, { model, rows, history, now }));
  });
  if (!evaluated) return null;
  const fresh = evaluated.filter(isEvaluated);
  const stored = fresh.filter(({ unit, outcomes }) => isStored(unit, outcomes));
  const writes = stored.flatMap((unit) => unit.writes);
  const finalized = stored.length
    ? await session.finish(
        writes,
        stored.map(({ unit, outcomes }) => rowOf(unit.mutation, unit.hash, outcomes)),
      )
    : await session.rollback().then((): Finalized => ({ changes: [], feeds: [], isWhole: true }));
  const { changes, feeds } = finalized;
  const byMutation = Map.groupBy(changes, ({ actor, mutation }) => keyOf(actor, mutation));
  const answers = evaluated.map((one) => {
    if (!isEvaluated(one)) return one;
    const { actor, id } = one.unit.mutation;
    const outcomes = withoutLeftOut(one.outcomes, finalized);
    return answersOf(outcomes, byMutation.get(keyOf(actor, id)) ?? []);
  });
  return { answers, feeds };
}

const keyOf = (actor: string, mutation: string | null) => JSON.stringify([actor, mutation]);

interface EvaluatedUnit {
  unit: Unit;
  outcomes: Outcome[];
  writes: RowWrite[];
}

type UnitContext = Omit<EvaluationContext, "mutation">;

const isEvaluated = (one: EvaluatedUnit | MutationAnswer | ContendedUnit): one is EvaluatedUnit =>
  !(one instanceof ContendedUnit) && !Array.isArray(one) && !(one instanceof Refusal);

/** Evaluates a mutation's ops one after the other; an atomic one applies as a whole or not at all. A repeat is answered. */
function evaluateUnit(
  unit: Unit,
  loaded: LoadedRows,
  context: UnitContext,
): EvaluatedUnit | MutationAnswer | ContendedUnit {
  const { mutation } = unit;
  const repeat = repeatOf(mutation, unit.hash, loaded, context.model);
  const locked = lockedRecords(mutation, loaded, context.model);
  // A locked record was not read: whether its author may see a stored refusal is unknown.
  if (locked.length && !(repeat && isDecided(repeat))) return new ContendedUnit(locked);
  if (repeat) return repeat;
  const mark = context.rows.mark();
  const { outcomes, writes } = evaluateOps(mutation, context);
  if (!mutation.atomic || outcomes.every((outcome) => outcome.ok)) {
    return { unit, outcomes, writes };
  }
  context.rows.rollback(mark);
  const refusedOutcomes = withoutFreeAnswers(mutation, outcomes, context);
  return { unit, outcomes: abortOthers(mutation, refusedOutcomes), writes: [] };
}

/**
 * The refusals of an atomic mutation, which leaves no trace. What a rule or guard over hidden fields says of it is answered only if
 * nothing else prevents it: with an op that always fails beside it, such an answer would be a free way to try out hidden values.
 */
function withoutFreeAnswers(
  mutation: Mutation,
  outcomes: Outcome[],
  context: UnitContext,
): Outcome[] {
  const model = withReadableChecks(context.model, mutation.subject);
  if (model === context.model) return outcomes;
  const mark = context.rows.mark();
  const others = evaluateOps(mutation, { ...context, model }).outcomes;
  context.rows.rollback(mark);
  return others.every(({ ok }) => ok) ? outcomes : others;
}

/** The locked records that a mutation writes or links to. */
function lockedRecords({ ops }: Mutation, { locked }: LoadedRows, model: Model): string[] {
  if (locked.size === 0) return [];
  return ops.flatMap((op) => {
    const own = op.op === "create" ? [] : [{ table: op.table, record: op.record }];
    return [...own, ...linkedRecords(op, model)]
      .filter(({ table, record }) => locked.get(table)?.has(record))
      .map(({ table, record }) => recordKey(table, record));
  });
}

/** Whether an answer is stored; one that is not has written nothing, and its repeat is evaluated anew. */
export const isStored = ({ storesRefusal }: Unit, outcomes: readonly Outcome[]) =>
  storesRefusal || outcomes.some(({ ok }) => ok);

/** Evaluates ops one after the other; in an atomic mutation the first failure ends it. */
export function evaluateOps(
  mutation: Mutation,
  context: UnitContext,
): { outcomes: Outcome[]; writes: RowWrite[] } {
  const outcomes: Outcome[] = [];
  const writes: RowWrite[] = [];
  for (const op of mutation.ops) {
    try {
      const { table, record, write, by } = evaluateOp(op, { ...context, mutation });
      if (write) writes.push(write);
      const feed = context.rows.feed(table.name);
      const unchanged = write ? {} : ({ unchanged: true } as const);
      outcomes.push({
        ok: true,
        table: table.name,
        record,
        ...feed,
        ...unchanged,
        ...(by && { by }),
      });
    } catch (error) {
      outcomes.push(refused(error));
      // The refusal may be due to history that was not read yet: what the other ops miss is to be read with it.
      if (mutation.atomic && context.history.isComplete) break;
    }
  }
  return { outcomes, writes };
}
