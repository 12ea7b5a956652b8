import { findField, type Table } from "../../../../shared/model/model.ts";
import type { WireChange } from "../../../../shared/protocol/feed.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { formatList } from "../../ui/numbers.ts";

/** Set by every change, so they don't describe it. */
const auditFields = new Set(["updated_at", "updated_by", "created_at", "created_by"]);
const MAX_NAMED_FIELDS = 2;

/**
 * Describes a change, with `<author></author>` and `<title></title>` where the author and the title of the record
 * belong. For a run of changes, the number is left out: more of them may not be loaded.
 */
export function changeText(table: Table, change: WireChange, count = 1): string {
  if (change.kind !== "update") {
    const { isInsert, isRun } = { isInsert: change.kind === "insert", isRun: count > 1 };
    const records = table.label.toLowerCase();
    if (isRun)
      return isInsert ? messages.addedMany({ records }) : messages.deletedMany({ records });
    const record = table.recordLabel;
    return isInsert ? messages.added({ record }) : messages.deleted({ record });
  }
  const names = Object.keys(change.set).filter((name) => !auditFields.has(name));
  const labels = names.map((name) => findField(table, name)?.label ?? name);
  const option = names.length === 1 ? chosenOption(table, names[0] ?? "", change) : null;
  if (option) return messages.setOption({ field: labels[0] ?? "", option });
  if (labels.length === 0) return messages.updated();
  const named = labels.slice(0, MAX_NAMED_FIELDS);
  const rest = labels.length - named.length;
  const fields = formatList(rest > 0 ? [...named, messages.more({ count: rest })] : named);
  return messages.changed({ fields });
}

/** The label of the option that a select field was set to. */
function chosenOption(table: Table, name: string, change: WireChange): string | null {
  const field = findField(table, name);
  if (field?.type !== "select") return null;
  const option = field.options?.find(({ value }) => value === change.set[name]);
  return option ? (option.label ?? option.value) : null;
}
