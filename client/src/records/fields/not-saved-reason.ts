import { findField } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { accountAtom } from "../../state/account.ts";
import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import type { TextPlace } from "../../state/unsaved-texts.ts";
import { readOnlyReason } from "./read-only-reason.ts";

/**
 * Why a text can't be saved where it was typed, given the present model, rights and record, which may have changed in the
 * meantime. Null if it can be tried. `label` is the previous label of the field.
 */
export function notSavedReason(
  { table: name, record, field }: TextPlace,
  label: string,
): string | null {
  const account = store.get(accountAtom);
  if (!("data" in account)) return messages.signedOut();
  const { model, session } = account.data;
  const isNamed = (one: { name: string; formerly?: string[] }, wantedName: string) =>
    one.name === wantedName || one.formerly?.includes(wantedName) === true;
  const table = model.tables.find((one) => isNamed(one, name));
  if (!table) return messages.tableGone({ field: label });
  if (table.name !== name) return messages.tableRenamed({ table: table.label });
  const found = findField(table, field) ?? table.fields.find((one) => isNamed(one, field));
  if (!found) return messages.fieldGone({ field: label });
  const view = store.get(tableAtom(name)).get(record);
  if (!view) return null;
  return readOnlyReason(table, found, session.abilities.tables[table.name], view);
}
