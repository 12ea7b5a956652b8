import type { Field } from "../../../../shared/model/model.ts";
import type { RecordView } from "../../state/record-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { type ColumnValue, columnLabel } from "./grouping.ts";

/** What a card was given, on the way to a sentence about it. */
interface SetValueOptions {
  table: string;
  field: Field;
  /** The card as it was seen. */
  seen: RecordView;
  value: ColumnValue;
  /** The card as it is by now. */
  get(record: string): RecordView | undefined;
}

/**
 * Writes the value of a column into a record, based on what was seen. Answers null once it stands, or a
 * sentence: of a refusal nothing is left to decide then, a conflict waits on the card to be settled.
 */
export async function setValue({
  table,
  field,
  seen,
  value,
  get,
}: SetValueOptions): Promise<string | null> {
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
    return `${label} is not ${columnLabel(field, value)}: it was changed meanwhile. The card asks what holds.`;
  }
  const cell = get(seen.id)?.cells[name];
  for (const ref of submitted.refs) edits.drop(ref);
  return cell?.kind === "rejected" ? cell.message : outcome.message;
}
