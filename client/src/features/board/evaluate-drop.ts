import type { Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import type { RecordView } from "../../state/record-view.ts";
import { readOnlyReason } from "../../ui/fields/read-only-reason.ts";
import { type ColumnValue, columnLabel, columnOf, type Grouping } from "./grouping.ts";

/** What a drop is judged by. */
export interface BoardRules {
  table: Table;
  abilities: TableAbilities;
  grouping: Grouping;
}

/** A card in the hand, with the moves that its record may make where the board stands by state. */
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

/** Judges a drop before and when it happens: the column says by it whether it would take the card. */
export function evaluateDrop(
  { view, transitions }: Dragged,
  value: ColumnValue,
  rules: BoardRules,
): DropEffect {
  const { grouping } = rules;
  const from = columnOf(grouping, view.values);
  if (from === value) return { kind: "stay" };
  if (!grouping.isState) {
    const reason = setBlockedReason(view, value, rules);
    return reason === null ? { kind: "edit" } : { kind: "refused", reason };
  }
  const leading = transitions.filter(({ transition }) => transition.to === value);
  if (leading.some(({ obstacle }) => obstacle === null))
    return { kind: "move", transitions: leading };
  const [a, b] = [from, value].map((one) => columnLabel(grouping.field, one));
  return {
    kind: "refused",
    reason: leading[0]?.obstacle?.message ?? `No move leads from ${a} to ${b}.`,
  };
}

/** Why a card can't be given the value of a column, or null where it can be tried. */
export function setBlockedReason(
  view: RecordView,
  value: ColumnValue,
  { table, abilities, grouping: { field } }: BoardRules,
): string | null {
  if (view.cells[field.name]?.kind === "conflict") {
    return `${field.label} was changed by two people: choose on the card what holds.`;
  }
  const fieldReason = readOnlyReason(table, field, abilities, view);
  if (fieldReason !== null) return fieldReason;
  return field.required && value === null ? `${field.label} is required.` : null;
}
