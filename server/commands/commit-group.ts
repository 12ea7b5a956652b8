import type { Model } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { Finalized, FinalizedFeed } from "../store/finalized-change.ts";
import type { LoadedRows } from "../store/load-for-write.ts";
import { requireModel } from "../store/published-model.ts";
import type { WriteSession } from "../store/write-session.ts";
import type { RowWrite } from "../store/write-statements.ts";
import { answersOf, type Outcome, refused, repeatedAnswer, toJson } from "./answers.ts";
import { evaluateOp } from "./evaluate-op.ts";
import { evaluateWithHistory, HistoryNotLoaded } from "./evaluate-with-history.ts";
import type { EvaluationContext } from "./evaluation-context.ts";
import { requestFor } from "./load-request.ts";
import type { Mutation } from "./op.ts";
import { redactStoredAnswer } from "./redact-stored-answer.ts";
import { linkedRecords, recordKey } from "./touched-keys.ts";
import { withCurrentModelNames } from "./with-current-model-names.ts";
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

export interface CommitDeps {
  session: WriteSession;
  model: () => Model;
  /** Whether the author of a mutation has the rights under which it was sent. */
  isAsSent: (mutation: Mutation) => Promise<boolean>;
}

/** The answer to one mutation: a result per op, or a refusal of the whole. */
export type UnitAnswer = OpResult[] | Refusal;

/** The outcome of a mutation that waits for another program's lock on these records. */
export class ContendedUnit {
  readonly records: readonly string[];

  constructor(records: readonly string[]) {
    this.records = records;
  }
}

/**
 * Group commit: mutations of many users in one transaction, two round trips, one fsync. Rows are locked and
 * mutations evaluated first; refused ones are left out. Throws if the database refuses a statement: then
 * nothing of the group was applied, and the caller runs each mutation alone. Throws, too, if a unit has become stale.
 */
export async function commitGroup(
  sent: readonly Unit[],
  { session, model }: Pick<CommitDeps, "session" | "model">,
): Promise<{ answers: (UnitAnswer | ContendedUnit)[]; feeds: FinalizedFeed[] }> {
  const current = model();
  const units = sent.map((unit) => ({
    ...unit,
    mutation: withCurrentModelNames(current, unit.mutation),
  }));
  const mutations = units.map((unit) => unit.mutation);
  const loaded = await session.begin(requestFor(mutations, current, { lock: "skip" }));
  requireModel(loaded, current);
  const rows = new WorkingSet(loaded);
  const now = instant();
  const evaluated = await evaluateWithHistory(session, (history) => {
    // While the group waited for locks.
    if (sent.some(({ isStale }) => isStale)) throw new Error("Rights may have changed.");
    rows.rollback(0);
    return units.map((unit) => {
      const repeat = repeatOf(unit, loaded, current);
      const locked = lockedRecords(unit, loaded, current);
      // A locked record was not read: whether its author may see a stored refusal is unknown.
      if (locked.length && !(repeat && isDecided(repeat))) return new ContendedUnit(locked);
      if (repeat) return repeat;
      return evaluateUnit(unit, { model: current, rows, history, now });
    });
  });
  const fresh = evaluated.filter(isEvaluated);
  const stored = fresh.filter(({ unit, outcomes }) => isStored(unit, outcomes));
  const writes = stored.flatMap((unit) => unit.writes);
  const { changes, feeds } = stored.length
    ? await session.finish(writes, stored.map(rowOf))
    : await session.rollback().then((): Finalized => ({ changes: [], feeds: [] }));
  const byMutation = Map.groupBy(changes, ({ actor, mutation }) => keyOf(actor, mutation));
  const answers = evaluated.map((one) => {
    if (!isEvaluated(one)) return one;
    const { actor, id } = one.unit.mutation;
    return answersOf(one.outcomes, byMutation.get(keyOf(actor, id)) ?? []);
  });
  return { answers, feeds };
}

const keyOf = (actor: string, mutation: string | null) => JSON.stringify([actor, mutation]);

interface EvaluatedUnit {
  unit: Unit;
  outcomes: Outcome[];
  writes: RowWrite[];
}

const isEvaluated = (one: EvaluatedUnit | UnitAnswer | ContendedUnit): one is EvaluatedUnit =>
  !(one instanceof ContendedUnit) && !Array.isArray(one) && !(one instanceof Refusal);

/** Whether a stored answer is the same whatever its author may see of the records. */
export const isDecided = (answer: UnitAnswer) =>
  answer instanceof Refusal || answer.every((result) => result.ok);

/** The locked records that a mutation writes or links to. */
function lockedRecords({ mutation }: Unit, { locked }: LoadedRows, model: Model): string[] {
  if (locked.size === 0) return [];
  return mutation.ops.flatMap((op) => {
    const own = op.op === "create" ? [] : [{ table: op.table, record: op.record }];
    return [...own, ...linkedRecords(op, model)]
      .filter(({ table, record }) => locked.get(table)?.has(record))
      .map(({ table, record }) => recordKey(table, record));
  });
}

/** Whether an answer is stored; one that is not has written nothing, and its repeat is evaluated anew. */
export const isStored = ({ storesRefusal }: Unit, outcomes: readonly Outcome[]) =>
  storesRefusal || outcomes.some(({ ok }) => ok);

function rowOf({ unit, outcomes }: EvaluatedUnit) {
  const { actor, id } = unit.mutation;
  return { author: actor, id, hash: unit.hash, results: toJson(outcomes) };
}

/** The stored answer of a repeated mutation, as far as its author may see it today. */
export function repeatOf(
  { mutation, hash }: Unit,
  loaded: LoadedRows,
  model: Model,
): UnitAnswer | null {
  const stored = loaded.mutations.find(
    (one) => one.id === mutation.id && one.author === mutation.actor,
  );
  if (!stored) return null;
  try {
    return redactStoredAnswer(repeatedAnswer(stored, hash), mutation, {
      model,
      records: loaded.records,
    });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

type UnitContext = Omit<EvaluationContext, "mutation">;

/** The instant of the commit, in the precision of stored values. */
export function instant(): string {
  return new Date().toISOString();
}

/** Evaluates a mutation's ops one after the other; an atomic one applies as a whole or not at all. */
function evaluateUnit(unit: Unit, context: UnitContext): EvaluatedUnit {
  const { mutation } = unit;
  const { rows } = context;
  const mark = rows.mark();
  const { outcomes, writes } = evaluateOps(mutation, context);
  if (!mutation.atomic || outcomes.every((outcome) => outcome.ok)) {
    return { unit, outcomes, writes };
  }
  rows.rollback(mark);
  return { unit, outcomes: abortOthers(mutation, outcomes), writes: [] };
}

/** Validates ops one after the other; in an atomic mutation the first failure ends it. */
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
      // Collects all missing history at once, so the other ops are evaluated all the same.
      if (error instanceof HistoryNotLoaded) continue;
      outcomes.push(refused(error));
      if (mutation.atomic) break;
    }
  }
  return { outcomes, writes };
}

/** In an atomic mutation the failed op is answered with its reason and all the others with `aborted`. */
export function abortOthers(mutation: Mutation, outcomes: readonly Outcome[]): Outcome[] {
  const aborted = new Refusal("aborted").toBody();
  return mutation.ops.map((_, index) => {
    const outcome = outcomes[index];
    return outcome && !outcome.ok ? outcome : { ok: false, error: aborted };
  });
}
