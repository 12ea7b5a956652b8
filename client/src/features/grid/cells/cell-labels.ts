import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { valueMessages } from "../../../messages/en/values.ts";
import type { CellState, RecordMark, RecordView } from "../../../state/record-view.ts";

/** The description of an unconfirmed cell, for tooltips and screen readers. */
export function cellStateLabel(state: CellState | undefined): string {
  switch (state?.kind) {
    case undefined:
      return "";
    case "pending":
      return messages.pending();
    case "conflict":
      return messages.conflict({ author: state.by?.name ?? valueMessages.someoneElse() });
    case "rejected":
      return messages.rejected({ reason: state.message });
  }
}

const markLabels: Record<RecordMark, () => string> = {
  gone: messages.rowGone,
  moved: messages.rowMoved,
  deleted: messages.rowDeleted,
};

/** The label on a row that is unsaved or no longer in its place; null for other rows. */
export function rowLabel(row: RecordView): string | null {
  if (row.pending === "draft")
    return row.problem ? messages.rowDraftRejected() : messages.rowDraft();
  if (row.problem) return messages.rowRejected();
  if (row.pending === "create") return messages.rowCreating();
  if (row.pending === "delete") return messages.rowDeleting();
  if (row.mark === "deleted" && row.markedBy)
    return messages.rowDeletedBy({ author: row.markedBy });
  return row.mark && markLabels[row.mark]();
}
