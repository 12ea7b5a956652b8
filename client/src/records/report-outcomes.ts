import type { Table } from "../../../shared/model/model.ts";
import { gridMessages as messages } from "../messages/en/grid.ts";
import { toast, toastFailure } from "../ui/toast.tsx";
import { runUndoStep, type UndoSteps } from "./undo.ts";

/** The answer to one edit. */
type Outcome = { kind: "refused"; message: string } | { kind: "confirmed" | "draft" | "dropped" };

/** The texts for an action on records: done, and not done. */
const actions = {
  duplicate: { done: messages.duplicated, notDone: messages.notDuplicated },
  delete: { done: messages.deleted, notDone: messages.notDeleted },
};

/** Shows the results of an action on whole records, once the server has answered. */
export function reportOutcomes(
  { core, table }: { core: { undo: UndoSteps }; table: Table },
  { outcomes, batch }: { outcomes: readonly Outcome[]; batch: string },
  action: keyof typeof actions,
): void {
  const texts = actions[action];
  const confirmed = outcomes.filter(({ kind }) => kind === "confirmed").length;
  const drafts = outcomes.filter(({ kind }) => kind === "draft").length;
  if (confirmed > 0) {
    toast(
      texts.done({ records: recordCount(table, confirmed) }),
      () => void runUndoStep(core.undo, "undo", { batch }),
    );
  }
  if (drafts > 0) toast(messages.incomplete({ records: recordCount(table, drafts) }));
  const refused = outcomes.filter((outcome) => outcome.kind === "refused");
  const [first] = refused;
  if (!first) return;
  const records = recordCount(table, refused.length);
  toastFailure(texts.notDone({ records, reason: first.message }));
}

/** "1 incident", "3 incidents". */
export function recordCount({ recordLabel, label }: Table, count: number): string {
  return messages.recordCount({ count, record: recordLabel, records: label.toLowerCase() });
}
