import type { EditOutcome } from "../../../sync/edits/pending-edits.ts";
import { toast, toastFailure } from "../../../ui/toast.tsx";
import { takeStep } from "../../../ui/undo.ts";
import type { Desk } from "../desk.ts";

/** Says what the server made of a step on whole records, when it has answered: what was done, and what was not. */
export function reportRecords(
  desk: Desk,
  { outcomes, batch }: { outcomes: readonly EditOutcome[]; batch: string },
  verb: string,
): void {
  const done = outcomes.filter(({ kind }) => kind === "confirmed").length;
  const drafts = outcomes.filter(({ kind }) => kind === "draft").length;
  if (done > 0) {
    toast(
      `${counted(desk, done)} ${verb}.`,
      () => void takeStep(desk.core.undo, "undo", { batch }),
    );
  }
  if (drafts > 0)
    toast(`${counted(desk, drafts)} still ${drafts === 1 ? "needs" : "need"} a field.`);
  const refused = outcomes.filter((outcome) => outcome.kind === "refused");
  const [first] = refused;
  if (first) toastFailure(`${counted(desk, refused.length)} not ${verb}. ${first.message}`);
}

/** "1 incident", "3 incidents". */
export function counted({ table }: Desk, count: number): string {
  return count === 1 ? `1 ${table.recordLabel}` : `${count} ${table.label.toLowerCase()}`;
}
