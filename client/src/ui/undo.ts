import { findField, findTable } from "../../../shared/model/model.ts";
import { accountAtom } from "../state/account.ts";
import { store } from "../state/store.ts";
import { tableAtom } from "../state/table-state.ts";
import { toast, toastFailure } from "./toast.tsx";

interface Change {
  kind: "update" | "create" | "delete" | "restore" | "transition";
  table: string;
  record: string;
  fields: readonly string[];
}

/** What became of one step: what was done, and what was left alone, by whom it was changed since, and why. */
interface Report {
  changes: readonly Change[];
  skipped: readonly { by: string | null; code: string }[];
}

interface Scope {
  table?: string;
  batch?: string;
}

/** My steps on this tab. */
export interface UndoSteps {
  undo(scope?: Scope): Promise<Report> | null;
  redo(scope?: Scope): Promise<Report> | null;
}

/** Undoes or redoes one step and says what it was, and what was left alone. */
export async function runUndoStep(
  steps: UndoSteps,
  direction: "undo" | "redo",
  scope?: Scope,
): Promise<void> {
  const report = await steps[direction](scope);
  if (!report) return;
  const done = direction === "undo" ? "Undone" : "Redone";
  const what = report.changes.length > 0 ? `: ${describe(report.changes)}` : "";
  if (report.skipped.length === 0) {
    toast(`${done}${what}.`);
    return;
  }
  const notInvertible = report.skipped.filter(({ code }) => code === "transition_not_allowed");
  if (notInvertible.length === report.skipped.length && what === "") {
    toastFailure(`Not ${done.toLowerCase()}: no transition leads back from that state.`);
    return;
  }
  const reason = skippedReason(report.skipped);
  if (what === "") toastFailure(`Not ${done.toLowerCase()}. ${reason}`);
  else toastFailure(`${done}${what}. ${reason}`);
}

function skippedReason(skipped: Report["skipped"]): string {
  const names = [...new Set(skipped.map(({ by }) => by).filter((by) => by !== null))];
  const count = skipped.length === 1 ? "1 change was" : `${skipped.length} changes were`;
  const isMeanwhile = skipped.some(({ code }) => code === "conflict" || code === "record_deleted");
  if (!isMeanwhile) return `${count} left alone: the server refused to take them back.`;
  const authors = names.length > 0 ? names.join(", ") : "somebody";
  return `${count} left alone, because ${authors} changed the same since.`;
}

/** "Title of Printer on fire", "3 incidents deleted", "Title of 12 incidents". */
function describe(changes: readonly Change[]): string {
  const [first] = changes;
  if (!first) return "";
  const account = store.get(accountAtom);
  const table = "data" in account ? findTable(account.data.model, first.table) : undefined;
  const title = store.get(tableAtom(first.table)).get(first.record)?.values[table?.display ?? ""];
  const records = new Set(changes.map(({ record }) => record)).size;
  const isOne = records === 1 && typeof title === "string" && title !== "";
  const many = `${records} ${(table?.label ?? first.table).toLowerCase()}`;
  const one = isOne ? `“${title}”` : `1 ${table?.recordLabel ?? "record"}`;
  const which = records === 1 ? one : many;
  if (first.kind === "delete") return `${which} deleted`;
  if (first.kind === "restore" || first.kind === "create") return `${which} restored`;
  if (first.kind === "transition") return `the state of ${which}`;
  const fields = [...new Set(changes.flatMap((change) => change.fields))];
  const labels = fields.map((name) => (table && findField(table, name)?.label) ?? name);
  return `${labels.length > 2 ? `${labels.length} fields` : labels.join(" and ")} of ${which}`;
}
