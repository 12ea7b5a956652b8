import { findField, findTable } from "../../../shared/model/model.ts";
import { uiMessages as messages } from "../messages/en/ui.ts";
import { valueMessages } from "../messages/en/values.ts";
import { accountAtom } from "../state/account.ts";
import { store } from "../state/store.ts";
import { tableAtom } from "../state/table-state.ts";
import { formatList } from "../ui/numbers.ts";
import { toast, toastFailure, toastProblem } from "../ui/toast.tsx";
import { untilLookedUp } from "./fields/field-edit.ts";

interface Change {
  kind: "update" | "create" | "delete" | "restore" | "transition" | "move";
  table: string;
  record: string;
  fields: readonly string[];
}

/** The result of one step: the changes made, and those skipped, with the author of a later change and the reason. */
interface Report {
  changes: readonly Change[];
  skipped: readonly { by: string | null; code: string }[];
}

interface Scope {
  table?: string;
  batch?: string;
}

/** The undo history of this tab. */
export interface UndoSteps {
  undo(scope?: Scope): Promise<Report> | null;
  redo(scope?: Scope): Promise<Report> | null;
}

/** Undoes or redoes one step, and shows by a toast what changed and what was skipped. */
export async function runUndoStep(
  steps: UndoSteps,
  direction: "undo" | "redo",
  scope?: Scope,
): Promise<void> {
  // What was typed last is a step of its own, also while it is looked up.
  const lookedUp = scope?.batch === undefined ? untilLookedUp(scope?.table) : null;
  if (lookedUp) await lookedUp;
  const report = await steps[direction](scope)?.catch((error: unknown) => {
    toastProblem(error);
    return "refused" as const;
  });
  if (report === "refused") return;
  if (!report) {
    // The button of a step may be pressed after the key.
    if (scope?.batch !== undefined) toast(messages.undoneAlready());
    return;
  }
  const change = describe(report.changes);
  const isUndo = direction === "undo";
  if (report.skipped.length === 0) {
    toast(doneText(isUndo, change));
    return;
  }
  if (report.skipped.every(isDoneBefore)) {
    const done = change === "" ? [] : [doneText(isUndo, change)];
    toast([...done, skippedReason(report.skipped)].join(" "));
    return;
  }
  const blocked = report.skipped.filter(({ code }) => code === "transition_not_allowed");
  if (change !== "") {
    toastFailure(`${doneText(isUndo, change)} ${skippedReason(report.skipped)}`);
  } else if (blocked.length === report.skipped.length) {
    toastFailure(isUndo ? messages.noTransitionBack() : messages.noTransitionAgain());
  } else {
    const failed = isUndo ? messages.notUndone() : messages.notRedone();
    toastFailure(`${failed} ${skippedReason(report.skipped)}`);
  }
}

function doneText(isUndo: boolean, change: string): string {
  if (change === "") return isUndo ? messages.undone() : messages.redone();
  return isUndo ? messages.undoneWhat({ change }) : messages.redoneWhat({ change });
}

/** One sentence for each reason, with the authors of what came before. */
function skippedReason(skipped: Report["skipped"]): string {
  const byReason = Map.groupBy(skipped, ({ code }) => reasons[code] ?? messages.rejectedByServer);
  const sentences = [...byReason].map(([sentence, own]) => {
    const names = [...new Set(own.map(({ by }) => by).filter((by) => by !== null))];
    const authors = names.length > 0 ? formatList(names) : valueMessages.someoneElse();
    return sentence({ count: own.length, authors });
  });
  return sentences.join(" ");
}

const reasons: Partial<Record<string, (values: { count: number; authors: string }) => string>> = {
  conflict: messages.changedSince,
  record_changed: messages.recordChangedSince,
  record_deleted: messages.deletedSince,
  replaced: messages.replacedSince,
  already_restored: messages.restoredBefore,
  unchanged: messages.madeBefore,
};

/** There was nothing to do for these. */
const isDoneBefore = ({ code }: Report["skipped"][number]) =>
  code === "already_restored" || code === "unchanged";

/** "Title of “Printer on fire”", "3 incidents deleted", "1 incident deleted and Title of 12 incidents". */
function describe(changes: readonly Change[]): string {
  const parts = Map.groupBy(changes, ({ kind, table }) => `${partOf(kind)} ${table}`);
  return formatList([...parts.values()].map(describePart));
}

/** A record that comes back was deleted, or is created once more. */
function partOf(kind: Change["kind"]): Change["kind"] {
  return kind === "create" ? "restore" : kind;
}

/** Changes of one kind, in one table. */
function describePart(changes: readonly Change[]): string {
  const [first] = changes;
  if (!first) return "";
  const account = store.get(accountAtom);
  const table = "data" in account ? findTable(account.data.model, first.table) : undefined;
  const title = store.get(tableAtom(first.table)).get(first.record)?.values[table?.display ?? ""];
  const count = new Set(changes.map(({ record }) => record)).size;
  const one =
    typeof title === "string" && title !== ""
      ? messages.quoted({ title })
      : messages.oneRecord({ record: table?.recordLabel ?? messages.record() });
  const label = (table?.label ?? first.table).toLowerCase();
  const records = count === 1 ? one : messages.manyRecords({ count, records: label });
  if (first.kind === "delete") return messages.recordsDeleted({ records });
  if (first.kind === "restore" || first.kind === "create") {
    return messages.recordsRestored({ records });
  }
  if (first.kind === "move") return messages.placeOf({ records });
  if (first.kind === "transition") return messages.stateOf({ records });
  const names = [...new Set(changes.flatMap((change) => change.fields))];
  const labels = names.map((name) => (table && findField(table, name)?.label) ?? name);
  const fields =
    labels.length > 2 ? messages.fieldCount({ count: labels.length }) : formatList(labels);
  return messages.fieldsOf({ fields, records });
}
