import type { Table } from "../../../../../shared/model/model.ts";
import type { HistoryEntry } from "../../../../../shared/protocol/records.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { movedTo } from "../../../records/transitions/moved-to.ts";
import { authorName } from "../../../ui/author-name.ts";
import { formatList } from "../../../ui/numbers.ts";

const MAX_NAMED_FIELDS = 2;

/** The author of a change. Other programs and API tokens are marked as such. */
export function authorLabel({ by }: Pick<HistoryEntry, "by">): string {
  const { kind, name } = by;
  if (kind === "token") return messages.token({ name });
  const isNamedProgram = kind === "external" && name !== "" && name !== "external";
  return isNamedProgram ? messages.otherProgram({ name }) : authorName(by);
}

/** Describes an entry of the history, with `<author></author>` where its author belongs. */
export function entryText(
  { kind, transition }: Pick<HistoryEntry, "kind" | "transition">,
  table: Pick<Table, "fields" | "recordLabel" | "stateField" | "workflow">,
  fields: readonly string[],
): string {
  const { recordLabel: record } = table;
  if (kind === "insert") return messages.created({ record });
  if (kind === "delete") return messages.deletedEntry({ record });
  if (transition) {
    const state = movedTo(table, transition);
    return state === null ? messages.transition({ transition }) : messages.moved({ record, state });
  }
  if (fields.length === 0) return messages.updated({ record });
  const isShort = fields.length <= MAX_NAMED_FIELDS;
  const changed = isShort ? formatList(fields) : messages.fieldCount({ count: fields.length });
  return messages.changed({ fields: changed });
}
