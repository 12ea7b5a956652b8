import { toast, toastFailure } from "./toast.tsx";

/** What became of one step: what was left alone, by whom it was changed since, and why. */
interface Report {
  skipped: readonly { by: string | null; code: string }[];
}

/** My steps on this tab. */
export interface UndoSteps {
  undo(): Promise<Report> | null;
  redo(): Promise<Report> | null;
}

/** Undoes or redoes one step and says what was left alone. */
export async function takeStep(steps: UndoSteps, direction: "undo" | "redo"): Promise<void> {
  const report = await steps[direction]();
  if (!report) return;
  const done = direction === "undo" ? "Undone" : "Done again";
  if (report.skipped.length === 0) {
    toast(`${done}.`);
    return;
  }
  const stranded = report.skipped.filter(({ code }) => code === "transition_not_allowed");
  if (stranded.length === report.skipped.length) {
    toastFailure(`Not ${done.toLowerCase()}: no transition leads back from that state.`);
    return;
  }
  const names = [...new Set(report.skipped.map((skip) => skip.by).filter((by) => by !== null))];
  const who = names.length > 0 ? names.join(", ") : "somebody";
  toastFailure(
    `${done}, except ${report.skipped.length} that ${who} changed meanwhile: those were left alone.`,
  );
}
