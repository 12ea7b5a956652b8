import type { Table } from "../../../../../shared/model/model.ts";
import type { Transition, WorkflowState } from "../../../../../shared/model/workflow.ts";
import { stateLabel } from "./edit-workflow.ts";

/** What of the workflow is open to be changed. */
export type Selection =
  | { kind: "state"; value: string }
  | { kind: "transition"; name: string }
  | null;

export function isSelected(selection: Selection, one: NonNullable<Selection>): boolean {
  if (one.kind === "state") return selection?.kind === "state" && selection.value === one.value;
  return selection?.kind === "transition" && selection.name === one.name;
}

/** Whether anything leads out of a state. */
export function isFinal(table: Table, value: string): boolean {
  return !table.workflow?.transitions.some(({ from }) => from.includes(value));
}

/** What a state is, in words: where records begin, whether they still need work, whether it is the end. */
export function stateSummary(table: Table, state: WorkflowState, isInitial: boolean): string {
  return [
    isInitial && "begins",
    state.open ? "open" : "not open",
    isFinal(table, state.value) && "final",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** A transition as a sentence without its name: "from New or Active to Resolved". */
export function transitionRoute(table: Table, { from, to }: Transition): string {
  return `from ${from.map((value) => stateLabel(table, value)).join(" or ")} to ${stateLabel(table, to)}`;
}
