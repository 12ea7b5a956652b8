import type { Field } from "../../../shared/model/model.ts";
import type { Workflow } from "../../../shared/model/workflow.ts";
import type { SummaryRow } from "../../../shared/protocol/summary.ts";
import type { TableCount } from "../state/table-counts.ts";

/**
 * Sums what the server counted by state. States come in the model's order; empty ones are left out.
 * What is open is the workflow's to say, else the options'; null where nobody says so of any state.
 */
export function stateCounts(
  field: Field,
  rows: readonly SummaryRow[],
  workflow?: Workflow,
): TableCount {
  const declared: readonly { value: string; open?: boolean }[] =
    workflow?.states ?? field.options ?? [];
  const isOpen = new Set(declared.filter(({ open }) => open).map(({ value }) => value));
  const counted = new Map(rows.map(({ key, value }) => [String(key), Number(value)]));
  const states = (field.options ?? []).map(({ value, label = value, colour }) => ({
    value,
    label,
    colour,
    open: isOpen.has(value),
    count: counted.get(value) ?? 0,
  }));
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    all: sum([...counted.values()]),
    open: isOpen.size > 0 ? sum(states.filter(({ open }) => open).map(({ count }) => count)) : null,
    states: states.filter(({ count }) => count > 0),
  };
}
