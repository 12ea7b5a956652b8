import { findField } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { movesOf } from "../../../../shared/policy/possible-transitions.ts";
import { useMover } from "../../state/use-mover.ts";
import { isNewRecord } from "../../sync/edits/build-view.ts";
import { runMove } from "../../sync/page/run-move.ts";
import { MoveList } from "../../ui/moves/move-list.tsx";
import { useMoves } from "../../ui/moves/use-moves.tsx";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import type { Desk } from "./desk.ts";
import { useRecord } from "./use-record.ts";

interface Props {
  desk: Desk;
  record: string | null;
  onClose(): void;
}

/** The moves from a record's state, next to the cell that shows it: what an editor is to other cells. */
export function MovesPopover({ desk, record, onClose }: Props) {
  const { table } = desk;
  const view = useRecord(desk, record ?? undefined);
  const mover = useMover(table.name);
  const { begin, dialog } = useMoves({ table, lookUp: desk.labels, run: runMove });
  const governed = governedBy(table);
  const field = governed && findField(table, governed.stateField);
  if (!view || !field || view.mark === "deleted" || isNewRecord(view)) return dialog;
  const cell = desk.cells.find(view.id, field.name)?.element;
  return (
    <>
      <PopoverBeside
        element={cell ?? desk.host}
        label={`${field.label}: possible moves`}
        position="bottom-start"
        onClose={onClose}
      >
        {(close) => (
          <MoveList
            table={table}
            field={field}
            moves={movesOf(table, view, mover)}
            column
            onPick={(move) => {
              close();
              begin(view, [move]);
            }}
          />
        )}
      </PopoverBeside>
      {dialog}
    </>
  );
}
