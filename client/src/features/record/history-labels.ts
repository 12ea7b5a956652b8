import type { Table } from "../../../../shared/model/model.ts";
import type { HistoryEntry } from "../../../../shared/protocol/history.ts";

/** Who made a change, in words: a person by name, another program as what it is. */
export function authorLabel({ by }: Pick<HistoryEntry, "by">): string {
  switch (by.kind) {
    case "external":
      return by.name && by.name !== "external" ? `${by.name} (another program)` : "Another program";
    case "system":
      return "Watchfloor";
    case "token":
      return `${by.name} (token)`;
    default:
      return by.name;
  }
}

/** What the change did to the record. */
export function entryVerb(
  { kind, transition }: Pick<HistoryEntry, "kind" | "transition">,
  { recordLabel, workflow }: Pick<Table, "recordLabel" | "workflow">,
): string {
  if (kind === "insert") return `created this ${recordLabel}`;
  if (kind === "delete") return `deleted this ${recordLabel}`;
  const known = workflow?.transitions.find(({ name }) => name === transition);
  return transition ? `ran “${known?.label ?? transition}”` : "changed";
}
