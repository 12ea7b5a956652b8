import { errorMessages as messages } from "../../messages/en/errors.ts";
import type { EditOrigin, PendingEdits } from "../edits/pending-edits.ts";
import { pageCore } from "./page-core.ts";

/** The name of a transition, the state that the user saw, the values that they entered, and the reason. */
export type TransitionStep = Parameters<PendingEdits["transition"]>[2];

/**
 * Runs a transition as a pending edit. Returns null once it is confirmed, or the text of its refusal; the record then
 * shows its previous state again and no decision is left to the user.
 */
export async function runTransition(
  table: string,
  record: string,
  step: TransitionStep,
  origin?: EditOrigin,
): Promise<string | null> {
  const { edits } = pageCore();
  const submitted = edits.transition(table, record, step, origin);
  const outcome = await submitted.outcome;
  if (outcome.kind !== "refused") return null;
  for (const ref of submitted.refs) edits.drop(ref);
  if (outcome.code !== "conflict") return outcome.message;
  return messages.recordChanged();
}
