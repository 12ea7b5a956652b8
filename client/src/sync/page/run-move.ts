import type { PendingEdits } from "../edits/pending-edits.ts";
import { pageCore } from "./page-core.ts";

/** What a transition is run with: its name, the state that was seen, what was filled and why. */
export type MoveStep = Parameters<PendingEdits["transition"]>[2];

/**
 * Runs a transition as a pending edit. Answers null once it is confirmed, or the sentence of its
 * refusal: the record shows its old state again then, and nothing of the attempt is left to decide.
 */
export async function runMove(
  table: string,
  record: string,
  step: MoveStep,
): Promise<string | null> {
  const { edits } = pageCore();
  const taken = edits.transition(table, record, step);
  const outcome = await taken.outcome;
  if (outcome.kind !== "refused") return null;
  for (const ref of taken.refs) edits.drop(ref);
  if (outcome.code !== "conflict") return outcome.message;
  return "Somebody else moved this record meanwhile. Look at it again.";
}
