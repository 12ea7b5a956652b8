import { useCallback, useEffect } from "react";
import { findField } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { transitionOptions } from "../../../../shared/policy/possible-transitions.ts";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { TransitionList } from "../../records/transitions/transition-list.tsx";
import { useTransitions } from "../../records/transitions/use-transitions.tsx";
import { useTransitionAuthor } from "../../state/use-transition-author.ts";
import { isNewRecord } from "../../sync/edits/build-view.ts";
import { pageEditing } from "../../sync/page/page-labels.ts";
import { runTransition } from "../../sync/page/run-transition.ts";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import type { GridController } from "./grid-controller.ts";
import { isFocusFree, returnFocus } from "./rows/grid-focus.ts";
import { useRecord } from "./use-record.ts";

interface Props {
  grid: GridController;
  record: string | null;
  onClose(): void;
}

/** The available transitions of a record, beside the cell of its state, instead of an editor. */
export function TransitionsPopover({ grid, record, onClose }: Props) {
  const { table } = grid;
  const view = useRecord(grid, record ?? undefined);
  const author = useTransitionAuthor(table.name);
  const { begin, dialog } = useTransitions({
    table,
    editing: pageEditing,
    run: runTransition,
    onClosed: () => !grid.editors.isOpen && isFocusFree(grid) && returnFocus(grid),
  });
  const close = useCallback(() => {
    onClose();
    returnFocus(grid);
  }, [grid, onClose]);
  const governed = governedBy(table);
  const field = governed && findField(table, governed.stateField);
  const hasNone = !view || !field || view.mark === "deleted" || isNewRecord(view);
  useEffect(() => {
    if (record !== null && hasNone) close();
  }, [record, hasNone, close]);
  if (hasNone) return dialog;
  return (
    <>
      <PopoverBeside
        element={() => grid.cells.find(view.id, field.name)?.element}
        label={messages.transitions({ field: field.label })}
        position="bottom-start"
        onClose={close}
      >
        {() => (
          <TransitionList
            table={table}
            field={field}
            options={transitionOptions(table, view, author)}
            column
            onPick={(candidate) => {
              close();
              begin(view, [candidate]);
            }}
          />
        )}
      </PopoverBeside>
      {dialog}
    </>
  );
}
