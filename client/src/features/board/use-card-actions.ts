import { type ReactNode, useCallback, useEffect, useState } from "react";
import {
  type TransitionAuthor,
  type TransitionOption,
  transitionOptions,
} from "../../../../shared/policy/possible-transitions.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { saveValue } from "../../records/fields/field-edit.ts";
import { useTransitions } from "../../records/transitions/use-transitions.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { useTransitionAuthor } from "../../state/use-transition-author.ts";
import { pageEditing } from "../../sync/page/page-labels.ts";
import { runTransition } from "../../sync/page/run-transition.ts";
import { announce } from "../../ui/announce.ts";
import { toastFailure } from "../../ui/toast.tsx";
import type { BoardModel } from "./board-model.ts";
import {
  type BoardRules,
  type Dragged,
  type DropEffect,
  evaluateDrop,
  nextColumn,
} from "./evaluate-drop.ts";
import { type ColumnValue, columnLabel } from "./grouping.ts";

/** How long a refused card shakes; as long as the animation in card.module.css. */
const REFUSED_MS = 500;

export interface CardActions {
  author: TransitionAuthor;
  /** The effect of dropping the dragged card on a column. */
  dropFor(value: ColumnValue): DropEffect | null;
  /** The card whose drop was just refused. */
  refused: string | null;
  drag(record: string | null): void;
  drop(value: ColumnValue): void;
  transition(view: RecordView, transition: TransitionOption): void;
  set(view: RecordView, value: ColumnValue): void;
  /** Moves a card to the next column on one side that accepts it, or shows why none does. */
  shift(record: string, step: 1 | -1): void;
  /** The dialog that asks for what a transition still needs. */
  dialog: ReactNode;
}

/** Actions on cards: a transition if the board is grouped by state, else an edit of its field. */
export function useCardActions(rules: BoardRules, model: BoardModel | null): CardActions {
  const { table, grouping } = rules;
  const { field } = grouping;
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    if (!dragged) return;
    // A card that another user moves during the drag becomes another element, which gets no `dragend`. The browser sends no
    // pointer events during a drag, so the first one ends it.
    const end = () => setDragged(null);
    addEventListener("pointermove", end);
    return () => removeEventListener("pointermove", end);
  }, [dragged]);
  const author = useTransitionAuthor(table.name);
  const markRefused = useCallback((record: string) => {
    setRefused(record);
    setTimeout(() => setRefused(null), REFUSED_MS);
  }, []);
  const transitions = useTransitions({
    table,
    editing: pageEditing,
    run: runTransition,
    onRefused: markRefused,
  });
  const showRefused = (record: string, reason: string) => {
    toastFailure(reason);
    markRefused(record);
  };
  const edit = async (view: RecordView, value: ColumnValue) => {
    announce(`${field.label}: ${columnLabel(field, value)}.`);
    const reason = await setValue(rules, view, value, () => model?.get(view.id));
    if (reason !== null) showRefused(view.id, reason);
  };
  const run = (card: Dragged, value: ColumnValue) => {
    const drop = evaluateDrop(card, value, rules);
    if (drop.kind === "move") transitions.begin(card.view, drop.transitions);
    else if (drop.kind === "edit") void edit(card.view, value);
    else if (drop.kind === "refused") showRefused(card.view.id, drop.reason);
  };
  return {
    author,
    dropFor: (value) => dragged && evaluateDrop(dragged, value, rules),
    refused,
    drag: (record) => {
      const view = record === null ? undefined : model?.get(record);
      setDragged(view ? { view, transitions: transitionOptions(table, view, author) } : null);
    },
    drop: (value) => {
      setDragged(null);
      if (dragged) run(dragged, value);
    },
    transition: (view, transition) => transitions.begin(view, [transition]),
    set: (view, value) => run({ view, transitions: [] }, value),
    shift: (record, step) => {
      const view = model?.get(record);
      if (!view) return;
      const card = { view, transitions: transitionOptions(table, view, author) };
      const target = nextColumn(card, step, rules);
      if (target !== undefined) run(card, target);
    },
    dialog: transitions.dialog,
  };
}

/**
 * Sets the value of a column on a record, based on what the user saw. Returns null once it is saved, or a message. A
 * refused value is dropped; a conflict has to be resolved on the card.
 */
async function setValue(
  { table, grouping: { field } }: BoardRules,
  seen: RecordView,
  value: ColumnValue,
  now: () => RecordView | undefined,
): Promise<string | null> {
  const { name, label } = field;
  const at = { ...pageEditing(), table, field, record: seen.id };
  const submitted = saveValue(at, seen.values[name] ?? null, value);
  const outcome = await submitted?.outcome;
  if (!submitted || outcome?.kind !== "refused") return null;
  if (outcome.code === "conflict") {
    return messages.changedMeanwhile({ field: label, option: columnLabel(field, value) });
  }
  const cell = now()?.cells[name];
  for (const ref of submitted.refs) at.core.edits.drop(ref);
  return cell?.kind === "rejected" ? cell.message : outcome.message;
}
