import { type ReactNode, useCallback, useEffect, useState } from "react";
import { type Move, type Mover, movesOf } from "../../../../shared/policy/possible-transitions.ts";
import type { RecordView } from "../../state/record-view.ts";
import { useMover } from "../../state/use-mover.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { runMove } from "../../sync/page/run-move.ts";
import { announce } from "../../ui/announce.ts";
import { useMoves } from "../../ui/moves/use-moves.tsx";
import { toastFailure } from "../../ui/toast.tsx";
import type { BoardModel } from "./board-model.ts";
import { type BoardRules, type Dragged, type Drop, dropOn } from "./drop-on.ts";
import { type ColumnValue, columnLabel } from "./grouping.ts";
import { setValue } from "./set-value.ts";

/** A refused card shakes for so long; card.module.css agrees. */
const REFUSED_MS = 500;

export interface CardDeeds {
  mover: Mover;
  /** What a drop on a column would do, while a card is in the hand. */
  dropOn(value: ColumnValue): Drop | null;
  /** The card that was refused a moment ago. */
  refused: string | null;
  drag(record: string | null): void;
  drop(value: ColumnValue): void;
  move(view: RecordView, move: Move): void;
  set(view: RecordView, value: ColumnValue): void;
  /** Asks for what a move still needs. */
  dialog: ReactNode;
}

/** What is done to cards: a move where the board stands by state, else an edit of the field it stands by. */
export function useCardDeeds(rules: BoardRules, model: BoardModel | null): CardDeeds {
  const { table, grouping } = rules;
  const { field } = grouping;
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    if (!dragged) return;
    // A card that others move meanwhile is another element by then, and its drag ends untold: as long as
    // anything is dragged the pointer tells of no move.
    const end = () => setDragged(null);
    addEventListener("pointermove", end);
    return () => removeEventListener("pointermove", end);
  }, [dragged]);
  const mover = useMover(table.name);
  const shake = useCallback((record: string) => {
    setRefused(record);
    setTimeout(() => setRefused(null), REFUSED_MS);
  }, []);
  const moves = useMoves({ table, lookUp: pageLabels(), run: runMove, onRefused: shake });
  const refuse = (record: string, why: string) => {
    toastFailure(why);
    shake(record);
  };
  const edit = async (seen: RecordView, value: ColumnValue) => {
    announce(`${field.label}: ${columnLabel(field, value)}.`);
    const get = (record: string) => model?.get(record);
    const why = await setValue({ table: table.name, field, seen, value, get });
    if (why !== null) refuse(seen.id, why);
  };
  const run = (card: Dragged, value: ColumnValue) => {
    const drop = dropOn(card, value, rules);
    if (drop.kind === "move") moves.begin(card.view, drop.moves);
    else if (drop.kind === "edit") void edit(card.view, value);
    else if (drop.kind === "refused") refuse(card.view.id, drop.why);
  };
  return {
    mover,
    dropOn: (value) => dragged && dropOn(dragged, value, rules),
    refused,
    drag: (record) => {
      const view = record === null ? undefined : model?.get(record);
      setDragged(view ? { view, moves: movesOf(table, view, mover) } : null);
    },
    drop: (value) => {
      setDragged(null);
      if (dragged) run(dragged, value);
    },
    move: (view, move) => moves.begin(view, [move]),
    set: (view, value) => run({ view, moves: [] }, value),
    dialog: moves.dialog,
  };
}
