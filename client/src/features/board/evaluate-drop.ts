import type { Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { explanationText } from "../../messages/error-text.ts";
import { readOnlyReason } from "../../records/fields/read-only-reason.ts";
import type { RecordView } from "../../state/record-view.ts";
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
  if (view.pending === "draft") return { kind: "refused", reason: messages.draftFirst() };
  if (!grouping.isState) {
    const reason = setBlockedReason(view, value, rules);
    return reason === null ? { kind: "edit" } : { kind: "refused", reason };
  }
  const leading = transitions.filter(({ transition }) => transition.to === value);
  if (leading.some(({ obstacle }) => obstacle === null))
    return { kind: "move", transitions: leading };
  const from = columnLabel(grouping.field, current);
  const to = columnLabel(grouping.field, value);
  const obstacle = leading[0]?.obstacle;
  return {
    kind: "refused",
    reason: obstacle ? explanationText(obstacle) : messages.noTransition({ from, to }),
  };
}

/** The nearest column on one side that accepts a card, or else the next one; undefined at the edge. */
export function nextColumn(
  card: Dragged,
  step: 1 | -1,
  rules: BoardRules,
): ColumnValue | undefined {
  const { values } = rules.grouping;
  const at = values.indexOf(columnOf(rules.grouping, card.view.values));
  const ahead = step > 0 ? values.slice(at + 1) : values.slice(0, Math.max(at, 0)).toReversed();
  const accepts = (value: ColumnValue) => {
    const { kind } = evaluateDrop(card, value, rules);
    return kind === "move" || kind === "edit";
  };
  return ahead.find(accepts) ?? ahead[0];
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
