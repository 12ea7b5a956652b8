import type { Json } from "../../shared/filter/filter.ts";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import type { Author } from "../../shared/protocol/record.ts";
import type { FinalizedChange } from "../store/finalized-change.ts";
import type { StoredMutation } from "../store/mutations.ts";

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

/** The answer to a repeated mutation. Refuses an id that was used for other content. */
export function repeatedAnswer(stored: StoredMutation, hash: string): OpResult[] {
  if (stored.hash !== hash) throw new Refusal("mutation_mismatch", { mutation: stored.id });
  return answersOf(stored.results as unknown as Outcome[], stored.changes);
}

export function toJson(outcomes: readonly Outcome[]): Json {
  return outcomes as unknown as Json;
}
