import type { Field, Table } from "../model.ts";
import { governedBy } from "../state-of.ts";
import { canGroup } from "./view.ts";

/**
 * The fields that a board of the table can group by: the state of its workflow, and fields with options. The
 * first is the default; without any the table has no board.
 */
export function boardFields(table: Table): Field[] {
  const state = governedBy(table)?.stateField;
  const fields = table.fields.filter(({ name }) => name === state || canGroup(table, name));
  return fields.toSorted((a, b) => Number(b.name === state) - Number(a.name === state));
}
