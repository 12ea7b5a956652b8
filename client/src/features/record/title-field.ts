import { displayText } from "../../../../shared/model/display-text.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { recordCard } from "../../../../shared/model/record-card.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { readOnlyReason } from "../../records/fields/read-only-reason.ts";
import type { RecordView } from "../../state/record-view.ts";

/**
 * The text that a record is read by: a field in place of the heading of its panel, to be edited there. It stays there, with what was not saved of
 * it, while it can't be edited. Null for a record that is called by something else, such as an assigned number.
 */
export function titleField(
  table: Table,
  abilities: TableAbilities,
  record: RecordView,
): Field | null {
  const { title } = recordCard(table);
  if (title?.type !== "text" || title.automatic || !abilities.fields.includes(title.name))
    return null;
  const isWritable = readOnlyReason(table, title, abilities, record) === null;
  return isWritable || displayText({ display: title.name }, record.values) !== null ? title : null;
}
