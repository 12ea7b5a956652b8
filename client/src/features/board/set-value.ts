import type { Field } from "../../../../shared/model/model.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import type { RecordView } from "../../state/record-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { type ColumnValue, columnLabel } from "./grouping.ts";

/**
 * Sets the value of a column on a record, based on what the user saw. Returns null once it is saved, or a message. A
 * rejected edit is dropped; a conflict has to be resolved on the card.
 */
export async function setValue({
  table,
  field,
  seen,
  value,
  get,
}: {
  table: string;
  field: Field;
  /** The card that the user saw. */
  seen: RecordView;
  value: ColumnValue;
  /** The present state of a card. */
  get(record: string): RecordView | undefined;
}): Promise<string | null> {
  const { edits } = pageCore();
  const { name, label } = field;
  const before = seen.cells[name];
  if (before?.kind === "rejected") edits.drop(before.edit, name);
  const submitted = edits.edit(table, {
    record: seen.id,
    set: { [name]: value },
    base: { [name]: seen.values[name] ?? null },
  });
  const outcome = await submitted.outcome;
  if (outcome.kind !== "refused") return null;
  if (outcome.code === "conflict") {
    return messages.changedMeanwhile({ field: label, option: columnLabel(field, value) });
  }
  const cell = get(seen.id)?.cells[name];
  for (const ref of submitted.refs) edits.drop(ref);
  return cell?.kind === "rejected" ? cell.message : outcome.message;
}
