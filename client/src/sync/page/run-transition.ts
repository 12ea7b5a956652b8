import { findField, findTable } from "../../../../shared/model/model.ts";
import { errorMessages as messages } from "../../messages/en/errors.ts";
import { transitionMessages } from "../../messages/en/transitions.ts";
import { knownAccountData } from "../../state/known-account.ts";
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

/** The place of a typed reason: no field has such a name. */
const REASON_PLACE = "#reason";

/** Notes a text that is being typed for a transition, so that closing the page does not lose it. A blank one is forgotten. */
function noteTyping(table: string, record: string, field: string | null, text: string): void {
  const { texts } = pageCore();
  const place = { table, record, field: field ?? REASON_PLACE };
  if (text.trim() === "") texts.clearTyping(place);
  else texts.setTyping(place, text, labelOf(table, field));
}

function labelOf(name: string, field: string | null): string {
  const { model } = knownAccountData() ?? {};
  const table = model && findTable(model, name);
  const label = field !== null && table ? findField(table, field)?.label : undefined;
  return `${table?.label ?? name} · ${label ?? field ?? transitionMessages.reason()}`;
}

/** Stores what was entered for a transition and was not sent, for its author to review. */
function storeUnsent(
  table: string,
  record: string,
  { set = {}, reason = "" }: Partial<Pick<TransitionStep, "set" | "reason">>,
  why: string,
): void {
  const { texts } = pageCore();
  for (const [field, value] of Object.entries(set)) {
    texts.addValue({ table, record, field }, value, why);
  }
  const label = labelOf(table, null);
  texts.add({ table, record, field: REASON_PLACE, text: reason, label, reason: why });
}

/** What `useTransitions` does with a transition and with what is entered for it. */
export const transitionActions = {
  run: runTransition,
  onTyping: noteTyping,
  onLost: storeUnsent,
};
