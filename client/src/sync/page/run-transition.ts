import type { PendingEdits } from "../edits/pending-edits.ts";
import { pageCore } from "./page-core.ts";

/** What a transition is run with: its name, the state that was seen, what was filled and why. */
export type TransitionStep = Parameters<PendingEdits["transition"]>[2];

/**
 * Runs a transition as a pending edit. Answers null once it is confirmed, or the sentence of its
 * refusal: the record shows its old state again then, and nothing of the attempt is left to decide.
 */
export async function runTransition(
  table: string,
  record: string,
  step: TransitionStep,
): Promise<string | null> {
  const { edits } = pageCore();
  const submitted = edits.transition(table, record, step);
  const outcome = await submitted.outcome;
  if (outcome.kind !== "refused") return null;
  for (const ref of submitted.refs) edits.drop(ref);
  if (outcome.code !== "conflict") return outcome.message;
  return "Somebody else moved this record meanwhile. Look at it again.";
}
