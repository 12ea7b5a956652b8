import type { EditOutcome } from "../../../sync/edits/pending-edits.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";
import { runUndoStep } from "../../../ui/undo.ts";
import type { GridController } from "../grid-controller.ts";

/** Says what the server made of a step on whole records, when it has answered: what was done, and what was not. */
export function reportOutcomes(
  grid: GridController,
  { outcomes, batch }: { outcomes: readonly EditOutcome[]; batch: string },
  verb: string,
): void {
  const confirmed = outcomes.filter(({ kind }) => kind === "confirmed").length;
  const drafts = outcomes.filter(({ kind }) => kind === "draft").length;
  if (confirmed > 0) {
    toast(
      `${countLabel(grid, confirmed)} ${verb}.`,
      () => void runUndoStep(grid.core.undo, "undo", { batch }),
    );
  }
  if (drafts > 0)
    toast(`${countLabel(grid, drafts)} still ${drafts === 1 ? "needs" : "need"} a field.`);
  const refused = outcomes.filter((outcome) => outcome.kind === "refused");
  const [first] = refused;
  if (first) toastFailure(`${countLabel(grid, refused.length)} not ${verb}. ${first.message}`);
}

/** "1 incident", "3 incidents". */
export function countLabel({ table }: GridController, count: number): string {
  return count === 1 ? `1 ${table.recordLabel}` : `${count} ${table.label.toLowerCase()}`;
}
