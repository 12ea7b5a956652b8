import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { readOnlyReason } from "../../records/fields/read-only-reason.ts";
import { recordCard } from "../../records/fields/record-card.ts";
import type { RecordView } from "../../state/record-view.ts";

/** The text that a record is read by, where the user may write it: its panel has an input in place of its heading. */
export function editableTitle(
  table: Table,
  abilities: TableAbilities,
  record: RecordView,
): Field | null {
  const { title } = recordCard(table);
  if (title?.type !== "text" || title.automatic || !abilities.fields.includes(title.name))
    return null;
  if (record.mark === "deleted") return null;
  return readOnlyReason(table, title, abilities, record) === null ? title : null;
}
