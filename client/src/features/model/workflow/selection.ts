import type { Table } from "../../../../../shared/model/model.ts";
import type { Transition, Workflow, WorkflowState } from "../../../../../shared/model/workflow.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { formatChoice } from "../../../ui/numbers.ts";
import { stateLabel } from "./edit-workflow.ts";

/** The selected part of the workflow. */
export type Selection =
  | { kind: "state"; value: string }
  | { kind: "transition"; name: string }
  | null;

/** What the list and the diagram of a workflow are given. */
export interface WorkflowViewProps {
  table: Table;
  workflow: Workflow;
  selection: Selection;
  onSelect(selection: Selection): void;
  /** A transition from one state to another is wanted. */
  onConnect(from: string, to: string): void;
}

export function isSelected(selection: Selection, one: NonNullable<Selection>): boolean {
  if (one.kind === "state") return selection?.kind === "state" && selection.value === one.value;
  return selection?.kind === "transition" && selection.name === one.name;
}

/** Whether no transition leads out of a state. */
export function isFinal(table: Table, value: string): boolean {
  return !table.workflow?.transitions.some(({ from }) => from.includes(value));
}

/** Summarises a state: initial, open or closed, final. */
export function stateSummary(table: Table, state: WorkflowState, isInitial: boolean): string {
  return [
    isInitial && messages.initial(),
    state.open ? messages.openState() : messages.closedState(),
    isFinal(table, state.value) && messages.finalState(),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The route of a transition: "from New or Active to Resolved". */
export function transitionRoute(table: Table, { from, to }: Transition): string {
  const sources = from.map((value) => stateLabel(table, value));
  return messages.route({ from: formatChoice(sources), to: stateLabel(table, to) });
}
