import type { Table } from "../../../../shared/model/model.ts";
import { optionLabel } from "../fields/format-value.ts";

/** The state to which a transition leads, as users know it; null where the model no longer has the transition. */
export function movedTo(
  table: Pick<Table, "fields" | "stateField" | "workflow">,
  transition: string,
): string | null {
  const known = table.workflow?.transitions.find(({ name }) => name === transition);
  if (!known) return null;
  const field = table.fields.find(({ name }) => name === table.stateField);
  return field ? optionLabel(field, known.to) : known.to;
}
