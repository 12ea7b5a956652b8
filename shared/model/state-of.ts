import type { Json } from "../filter/filter.ts";
import type { Table, Values } from "./model.ts";
import { findState, type Workflow } from "./workflow.ts";

/** A table's workflow with its state field; null if the state is an ordinary field. */
export function governedBy(table: Table): { workflow: Workflow; stateField: string } | null {
  const { workflow, stateField } = table;
  return workflow && stateField !== undefined ? { workflow, stateField } : null;
}

/** The state of a record. */
export function stateOf(table: Table, values: Values): Json {
  return table.stateField === undefined ? null : (values[table.stateField] ?? null);
}

/**
 * The fields that the state of a record locks. The state itself is not among them: only transitions change
 * it. A state that the workflow does not know locks nothing.
 */
export function lockedFields(table: Table, values: Values): string[] {
  const governed = governedBy(table);
  const locks = governed && findState(governed.workflow, stateOf(table, values))?.locks;
  if (!governed || !locks) return [];
  const names = locks === "all" ? table.fields.map((field) => field.name) : locks;
  return names.filter((name) => name !== governed.stateField);
}
