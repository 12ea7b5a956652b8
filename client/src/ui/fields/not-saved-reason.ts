import { findField } from "../../../../shared/model/model.ts";
import { accountAtom } from "../../state/account.ts";
import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import type { TextPlace } from "../../state/unsaved-texts.ts";
import { readOnlyReason } from "./read-only-reason.ts";

/**
 * Why a text can't be saved where it was typed, by the model, my rights and the record as they are now: any of them
 * may have changed while I was typing. Null where it can be tried. `label` is what the field was called.
 */
export function notSavedReason(
  { table: name, record, field }: TextPlace,
  label: string,
): string | null {
  const account = store.get(accountAtom);
  if (!("data" in account)) return "You are signed out.";
  const { model, session } = account.data;
  const isNamed = (one: { name: string; formerly?: string[] }, wantedName: string) =>
    one.name === wantedName || one.formerly?.includes(wantedName) === true;
  const table = model.tables.find((one) => isNamed(one, name));
  if (!table) return `The table of ${label} was removed, or you can no longer see it.`;
  if (table.name !== name) return `The table is called ${table.label} now.`;
  const found = findField(table, field) ?? table.fields.find((one) => isNamed(one, field));
  if (!found) return `${label} was removed, or you can no longer see it.`;
  const view = store.get(tableAtom(name)).get(record);
  if (!view) return null;
  return readOnlyReason(table, found, session.abilities.tables[table.name], view);
}
