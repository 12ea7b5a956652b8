import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordPlace } from "../../../records/record-trail.ts";
import { knownAccountData } from "../../../state/known-account.ts";
import type { RecordView } from "../../../state/record-view.ts";
import type { GridController } from "../grid-controller.ts";

/** Whether the user can read the table that a field links to. */
export function isLinkReadable({ type, target = "" }: Field): boolean {
  const tables = knownAccountData()?.session.abilities.tables;
  return type === "link" && tables?.[target]?.read === true;
}

/** The record that a cell links to; null where it links to none that the user can read. */
export function linkedPlace(
  { fields }: GridController,
  record: RecordView | undefined,
  name: string,
): RecordPlace | null {
  const field = fields.get(name);
  const value = record?.values[name];
  if (!field?.target || typeof value !== "string" || !isLinkReadable(field)) return null;
  return { table: field.target, record: value };
}

/** Opens the record that a cell links to, on top of the record that it is in. False where it links to none. */
export function openLinked(grid: GridController, record: RecordView, field: string): boolean {
  const place = linkedPlace(grid, record, field);
  if (place) grid.actions.openRecord(record.id, place);
  return place !== null;
}
