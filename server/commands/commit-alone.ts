import { findTable } from "../../shared/model/model.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { discreet } from "../policy/discreet.ts";
import { requireModel } from "../store/model-moved.ts";
import type { SealedFeed } from "../store/sealed-change.ts";
import { answersOf, type Outcome, refused, toJson } from "./answers.ts";
import {
  abortOthers,
  type CommitDeps,
  instant,
  repeatOf,
  type Unit,
  type UnitAnswer,
} from "./commit-group.ts";
import { refusalOf } from "./database-error.ts";
import { judgeByPast } from "./judge-by-past.ts";
import { judgeOp } from "./judge-op.ts";
import { requestFor } from "./load-request.ts";
import { byNamesOf } from "./names-of-now.ts";
import type { Mutation, Op } from "./op.ts";
import { WorkingSet } from "./working-set.ts";

const patient = { wait: true };

/**
 * The slow way for a mutation whose group the database refused: op by op, each under a savepoint, so
 * that the refusal is told of the op that it belongs to and spoils no other.
 */
export async function commitAlone(
  unit: Unit,
  deps: CommitDeps,
): Promise<{ answer: UnitAnswer; feeds: SealedFeed[] }> {
  const { session } = deps;
  const { hash } = unit;
  const mutation = byNamesOf(deps.model(), unit.mutation);
  const key = { ...mutation, ops: [] };
  const loaded = await session.begin(requestFor([key], deps.model(), patient));
  const repeat = repeatOf(unit, loaded, deps.model());
  if (repeat) {
    await session.rollback();
    return { answer: repeat, feeds: [] };
  }
  const now = instant();
  let outcomes: Outcome[] = [];
  for (const op of mutation.ops) {
    outcomes.push(await applyOp(op, { mutation, now }, deps));
    if (mutation.atomic && !outcomes.at(-1)?.ok) break;
  }
  if (mutation.atomic && !outcomes.every((outcome) => outcome.ok)) {
    outcomes = abortOthers(mutation, outcomes);
    await session.rollback();
    await session.begin(requestFor([key], deps.model(), patient));
  }
  const row = { author: mutation.actor, id: mutation.id, hash, results: toJson(outcomes) };
  const { changes, feeds } = await session.finish([], [row]);
  const answer: OpResult[] = answersOf(outcomes, changes);
  return { answer, feeds };
}

async function applyOp(
  op: Op,
  { mutation, now }: { mutation: Mutation; now: string },
  { session, database, model }: CommitDeps,
): Promise<Outcome> {
  await session.savepoint();
  try {
    const current = model();
    const loaded = await session.load(requestFor([{ ...mutation, ops: [op] }], current, patient));
    requireModel(loaded, current);
    const rows = new WorkingSet(loaded);
    const judging = { model: current, mutation, rows, now };
    const { table, record, write } = await judgeByPast(database, (past) =>
      judgeOp(op, { ...judging, past }),
    );
    if (write) await session.write([write]);
    return { ok: true, table: table.name, record, ...rows.feed(table.name) };
  } catch (error) {
    const { subject } = mutation;
    const refusal = refusalOf(error, op.op, { model: model(), subject });
    if (!refusal || refusal.code === "unavailable") throw error;
    await session.rollbackToSavepoint();
    return refused(discreet(refusal, subject, findTable(model(), op.table)));
  }
}
