import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { runUndoStep } from "../../../records/undo.ts";
import type { EditOutcome } from "../../../sync/edits/pending-edits.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";

/** The texts for an action on records: done, and not done. */
interface OutcomeTexts {
  done(values: { records: string }): string;
  notDone(values: { records: string; reason: string }): string;
}

/** Shows the results of an action on whole records, once the server has answered. */
export function reportOutcomes(
  grid: GridController,
  { outcomes, batch }: { outcomes: readonly EditOutcome[]; batch: string },
  texts: OutcomeTexts,
): void {
  const confirmed = outcomes.filter(({ kind }) => kind === "confirmed").length;
  const drafts = outcomes.filter(({ kind }) => kind === "draft").length;
  if (confirmed > 0) {
    toast(
      texts.done({ records: recordCount(grid, confirmed) }),
      () => void runUndoStep(grid.core.undo, "undo", { batch }),
    );
  }
  if (drafts > 0) toast(messages.incomplete({ records: recordCount(grid, drafts) }));
  const refused = outcomes.filter((outcome) => outcome.kind === "refused");
  const [first] = refused;
  if (!first) return;
  const records = recordCount(grid, refused.length);
  toastFailure(texts.notDone({ records, reason: first.message }));
}

/** "1 incident", "3 incidents". */
export function recordCount({ table }: GridController, count: number): string {
  const [record, records] = [table.recordLabel, table.label.toLowerCase()];
  return messages.recordCount({ count, record, records });
}
