import type { CellState, RecordMark, RecordView } from "../../../state/record-view.ts";

/** What a cell that is not simply confirmed says to people who hear or hover it. */
export function cellStateLabel(state: CellState | undefined): string {
  switch (state?.kind) {
    case undefined:
      return "";
    case "pending":
      return "Not saved yet";
    case "conflict":
      return `Conflict: ${state.by?.name ?? "somebody"} changed this meanwhile. Press Enter to choose.`;
    case "rejected":
      return `Not accepted: ${state.message} Press Enter to see more.`;
  }
}

const markLabels: Record<RecordMark, string> = {
  gone: "no longer in this view",
  moved: "moved",
  deleted: "deleted",
};

/** The word that stands on a row that is not simply where it belongs; null for the others. */
export function rowLabel(row: RecordView): string | null {
  if (row.pending === "draft") return row.problem ? "draft, refused" : "draft";
  if (row.problem) return row.pending === "create" ? "not accepted" : "refused";
  if (row.pending === "create") return "new, not saved yet";
  if (row.pending === "delete") return "being deleted";
  if (row.mark === "deleted" && row.markedBy) return `deleted by ${row.markedBy}`;
  return row.mark && markLabels[row.mark];
}
