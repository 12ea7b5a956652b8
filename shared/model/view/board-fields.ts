import type { Field, Table } from "../model.ts";
import { governedBy } from "../state-of.ts";
import { canGroup } from "./view.ts";

/**
 * The fields by which a board of the table can stand in columns: the state of its workflow, and what has options.
 * The first is the one where nobody has chosen another; without any the table has no board.
 */
export function boardFields(table: Table): Field[] {
  const state = governedBy(table)?.stateField;
  const fields = table.fields.filter(({ name }) => name === state || canGroup(table, name));
  return fields.toSorted((a, b) => Number(b.name === state) - Number(a.name === state));
}
