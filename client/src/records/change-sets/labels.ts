import type {
  ChangeSetState,
  PreviewItem,
  PreviewStatus,
} from "../../../../shared/protocol/change-sets.ts";
import type { Origin } from "../../../../shared/protocol/record.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";

export function stateLabel(state: ChangeSetState): string {
  return messages[state]();
}

/** How changes came about: "Paste", "Import". */
export function originLabel(origin: Origin): string {
  return messages[origin]();
}

/** Whether changes were made one by one in place, which goes without saying. */
export function isOrdinary(origin: Origin): boolean {
  return origin === "grid" || origin === "panel";
}

const countLabels: Record<PreviewStatus, (values: { count: number }) => string> = {
  create: messages.created,
  update: messages.updatedCount,
  delete: messages.deleted,
  unchanged: messages.unchanged,
  error: messages.problems,
};

const draftLabels = {
  create: messages.willCreateCount,
  update: messages.willUpdateCount,
  delete: messages.willDeleteCount,
};

/** The filters of a preview, in their order. */
export const previewStatuses = Object.keys(countLabels) as PreviewStatus[];

/** "Added 12"; of a draft "Will be added 12". */
export function countLabel(status: PreviewStatus, count: number, isDraft: boolean): string {
  return (isDraft ? { ...countLabels, ...draftLabels } : countLabels)[status]({ count });
}

/** How a row of a preview is marked; never by colour alone. */
interface ItemMark {
  label: string;
  tone: "good" | "neutral" | "warn" | "bad";
}

/** The mark of an op: what it does to its record, or why it does nothing. */
export function itemMark({ status, outcome, errors }: PreviewItem, isEnded: boolean): ItemMark {
  const [error] = errors;
  if (error?.code === "conflict") return { label: messages.statusConflict(), tone: "warn" };
  if (error) return { label: messages.statusError(), tone: "bad" };
  if (outcome === "skipped") return { label: messages.statusSkipped(), tone: "neutral" };
  if (isEnded && !outcome) return { label: messages.statusNotApplied(), tone: "neutral" };
  const isToCome = outcome === undefined;
  switch (status) {
    case "create":
      return { label: isToCome ? messages.willCreate() : messages.statusCreate(), tone: "good" };
    case "update":
      return { label: isToCome ? messages.willUpdate() : messages.statusUpdate(), tone: "good" };
    case "delete":
      return { label: isToCome ? messages.willDelete() : messages.statusDelete(), tone: "bad" };
    case "unchanged":
      return { label: messages.statusUnchanged(), tone: "neutral" };
    case "error":
      return { label: messages.statusError(), tone: "bad" };
  }
}
