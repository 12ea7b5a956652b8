import type { Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import type { RecordView } from "../../state/record-view.ts";
import { readOnlyReason } from "../../ui/fields/read-only-reason.ts";
import { type ColumnValue, columnLabel, columnOf, type Grouping } from "./grouping.ts";

/** What the effect of a drop depends on. */
export interface BoardRules {
  table: Table;
  abilities: TableAbilities;
  grouping: Grouping;
}

/** A dragged card, with the available transitions of its record if the board is grouped by state. */
export interface Dragged {
  view: RecordView;
  transitions: readonly TransitionOption[];
}

/** What a drop on a column would do. */
export type DropEffect =
  | { kind: "stay" }
  | { kind: "move"; transitions: readonly TransitionOption[] }
  | { kind: "edit" }
  | { kind: "refused"; reason: string };

/** Evaluates a drop, during the drag and when it happens. Columns show the result. */
export function evaluateDrop(
  { view, transitions }: Dragged,
  value: ColumnValue,
  rules: BoardRules,
): DropEffect {
  const { grouping } = rules;
  const current = columnOf(grouping, view.values);
  if (current === value) return { kind: "stay" };
  if (!grouping.isState) {
    const reason = setBlockedReason(view, value, rules);
    return reason === null ? { kind: "edit" } : { kind: "refused", reason };
  }
  const leading = transitions.filter(({ transition }) => transition.to === value);
  if (leading.some(({ obstacle }) => obstacle === null))
    return { kind: "move", transitions: leading };
  const from = columnLabel(grouping.field, current);
  const to = columnLabel(grouping.field, value);
  return {
    kind: "refused",
    reason: leading[0]?.obstacle?.message ?? messages.noTransition({ from, to }),
  };
}

/** Why a card can't be given the value of a column, or null if it can be tried. */
export function setBlockedReason(
  view: RecordView,
  value: ColumnValue,
  { table, abilities, grouping: { field } }: BoardRules,
): string | null {
  if (view.cells[field.name]?.kind === "conflict") {
    return messages.conflictFirst({ field: field.label });
  }
  const fieldReason = readOnlyReason(table, field, abilities, view);
  if (fieldReason !== null) return fieldReason;
  return field.required && value === null ? messages.required({ field: field.label }) : null;
}
