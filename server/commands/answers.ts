import type { Json } from "../../shared/filter/filter.ts";
import { findTable, type Model } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import type { Author } from "../../shared/protocol/record.ts";
import { canSee } from "../policy/authorize.ts";
import type { Finalized, FinalizedChange } from "../store/finalized-change.ts";
import type { LoadedRows } from "../store/load-for-write.ts";
import type { MutationRow } from "../store/mutations.ts";
import { leftOut } from "./database-error.ts";
import { redactFor } from "./evaluate-op.ts";
import type { Mutation, Op } from "./op.ts";

/**
 * What is answered to a mutation, and what is stored of that, in the transaction of its effect. A repeat of the same id finds it. Two
 * things can't be stored then: positions, which are assigned as it commits, and what the author may see, which may change later. So
 * a repeat looks the positions up in the log, and redacts the stored answer by current rights.
 */

/**
 * The outcome of one op, before its position is known: positions are assigned at commit. Answers are stored
 * in this form with the mutation; a repeat adds the positions from the log.
 */
export type Outcome =
  | {
      ok: true;
      table: string;
      record: string;
      epoch: string;
      head: number;
      unchanged?: true;
      by?: Author;
    }
  | { ok: false; error: ErrorBody };

export function refused(error: unknown): Outcome {
  if (error instanceof Refusal) return { ok: false, error: error.toBody() };
  throw error;
}

/**
 * The answers in the order of the ops. An op that changed nothing is answered with the head at its evaluation: the client
 * may drop the overlay of the edit once it has reached that position.
 */
export function answersOf(
  outcomes: readonly Outcome[],
  changes: readonly FinalizedChange[],
): OpResult[] {
  const last = new Map<string, number>();
  for (const { table, record, seq } of changes) {
    const key = JSON.stringify([table, record]);
    last.set(key, Math.max(seq, last.get(key) ?? 0));
  }
  return outcomes.map((outcome) => {
    if (!outcome.ok) return outcome;
    const seq = last.get(JSON.stringify([outcome.table, outcome.record])) ?? outcome.head;
    const { record, epoch, unchanged, by } = outcome;
    const version = formatVersion(epoch, seq);
    return { ok: true, record, version, seq, ...(unchanged && { unchanged }), ...(by && { by }) };
  });
}

/**
 * The outcomes once it is known what was written: an op that a trigger of another program left out is refused. It is known only with the
 * commit, so an atomic mutation is applied without such an op.
 */
export function withoutLeftOut(
  outcomes: readonly Outcome[],
  { isWhole, changes }: Pick<Finalized, "isWhole" | "changes">,
): readonly Outcome[] {
  if (isWhole) return outcomes;
  const written = new Set(changes.map(({ table, record }) => JSON.stringify([table, record])));
  return outcomes.map((outcome) => {
    if (!outcome.ok || outcome.unchanged) return outcome;
    const isWritten = written.has(JSON.stringify([outcome.table, outcome.record]));
    return isWritten ? outcome : refused(leftOut(outcome.table));
  });
}

/** The answer to one mutation: a result per op, or a refusal of the whole. */
export type MutationAnswer = OpResult[] | Refusal;

/** In an atomic mutation the failed op is answered with its reason and all the others with `aborted`. */
export function abortOthers({ ops }: Mutation, outcomes: readonly Outcome[]): Outcome[] {
  const aborted = new Refusal("aborted").toBody();
  return ops.map((_, index) => {
    const outcome = outcomes[index];
    return outcome && !outcome.ok ? outcome : { ok: false, error: aborted };
  });
}

/** What is stored of a mutation with its effect. */
export function rowOf(
  { actor, id }: Mutation,
  hash: string,
  outcomes: readonly Outcome[],
): MutationRow {
  return { author: actor, id, hash, results: outcomes as unknown as Json };
}

/**
 * The answer to a mutation that was answered before, as far as its author may see it today; null if it was not. An id that
 * was used for other content is refused.
 */
export function repeatOf(
  mutation: Mutation,
  hash: string,
  { mutations, records }: Pick<LoadedRows, "mutations" | "records">,
  model: Model,
): MutationAnswer | null {
  const { id, actor, subject } = mutation;
  const stored = mutations.find((one) => one.id === id && one.author === actor);
  if (!stored) return null;
  if (stored.hash !== hash) return new Refusal("mutation_mismatch", { mutation: id });
  const answer = answersOf(stored.results as unknown as Outcome[], stored.changes);
  const rights = { subject, model, records };
  return answer.map((result, index) => redactResult(result, mutation.ops[index], rights));
}

/** Whether the answer to a repeat is the same whatever its author may see of the records. */
export function isDecided(answer: MutationAnswer): boolean {
  return answer instanceof Refusal || answer.every((result) => result.ok);
}

interface Rights {
  subject: Mutation["subject"];
  model: Model;
  /** Locked and read. */
  records: LoadedRows["records"];
}

/**
 * A stored result, redacted by current rights: a refusal may contain values of a record or field that its author may
 * not read any more, and a restore names who else has restored the record.
 */
function redactResult(result: OpResult, op: Op | undefined, rights: Rights): OpResult {
  if (!op) return result;
  if (!result.ok) {
    return { ok: false, error: redactForCurrentRights(result.error as ErrorBody, op, rights) };
  }
  const { by, ...rest } = result;
  return by && isReadable(op, rights) ? result : rest;
}

/** What remains for an unreadable record. */
const plainCodes: ReadonlySet<string> = new Set(["not_found", "aborted"]);

function redactForCurrentRights(error: ErrorBody, op: Op, rights: Rights): ErrorBody {
  if (plainCodes.has(error.code)) return error;
  if (!isReadable(op, rights)) return new Refusal("not_found").toBody();
  return redactFor(op, Refusal.fromBody(error), rights).toBody();
}

/** Whether the author of an op may read its record now. */
function isReadable(op: Op, { subject, model, records }: Rights): boolean {
  const table = findTable(model, op.table);
  const scope = table && scopeOf(subject, table);
  if (!scope || op.op === "create" || !scope.filter) return Boolean(scope);
  const current = records.get(table.name)?.get(op.record);
  return current !== undefined && canSee(scope, table, op.record, current);
}
