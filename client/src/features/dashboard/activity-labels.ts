import { findField, type Table } from "../../../../shared/model/model.ts";
import type { WireChange } from "../../../../shared/protocol/changes.ts";
import type { Author } from "../../../../shared/protocol/record.ts";

/** Fields that every change sets by itself say nothing about what was done. */
const auditFields = new Set(["updated_at", "updated_by", "created_at", "created_by"]);
const MAX_NAMED_FIELDS = 2;

/** Who did it, in words: a person, a token, another program, the server itself. */
export function authorName({ kind, name }: Author): string {
  if (kind === "external") return "Another program";
  if (kind === "system") return "Watchfloor";
  return name;
}

/** What was done to a record, before its title: "changed State and Priority of". */
export function changeSummary(table: Table, change: WireChange, count = 1): string {
  // How many is not said: what was read may be only the end of the run.
  const target = count > 1 ? `several ${table.label.toLowerCase()}` : `the ${table.recordLabel}`;
  if (change.kind === "insert") return `added ${target}`;
  if (change.kind === "delete") return `deleted ${target}`;
  const names = Object.keys(change.set).filter((name) => !auditFields.has(name));
  const labels = names.map((name) => findField(table, name)?.label ?? name);
  const chosen = names.length === 1 ? chosenOption(table, names[0] ?? "", change) : null;
  if (chosen) return `set ${labels[0]} to ${chosen} on`;
  if (labels.length === 0) return "touched";
  const named = labels.slice(0, MAX_NAMED_FIELDS);
  const rest = labels.length - named.length;
  if (rest > 0) return `changed ${named.join(", ")} and ${rest} more of`;
  return `changed ${named.join(" and ")} of`;
}

/** The option that a select field was set to: short, and it says what the change is about. */
function chosenOption(table: Table, name: string, change: WireChange): string | null {
  const field = findField(table, name);
  if (field?.type !== "select") return null;
  const option = field.options?.find(({ value }) => value === change.set[name]);
  return option ? (option.label ?? option.value) : null;
}
