import type { Field, Table } from "../../../../shared/model/model.ts";
import { type Move, type Mover, movesOf } from "../../../../shared/policy/possible-transitions.ts";
import type { RecordView } from "../../state/record-view.ts";
import { MoveList } from "../../ui/moves/move-list.tsx";
import { PopoverBeside } from "../../ui/popover-beside.tsx";

/** The card whose moves are shown, and the element beside which they stand. */
export interface OpenMoves {
  record: string;
  element: HTMLElement;
}

interface Props {
  table: Table;
  field: Field;
  open: OpenMoves | null;
  view: RecordView | undefined;
  mover: Mover;
  onPick(view: RecordView, move: Move): void;
  onClose(): void;
}

/** The moves of one card as a menu: what dragging is to the mouse, this is to the keyboard and finger. */
export function CardMoves({ table, field, open, view, mover, onPick, onClose }: Props) {
  if (!open || !view) return null;
  return (
    <PopoverBeside
      element={open.element}
      label={`${field.label}: possible moves`}
      position="bottom-end"
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
            onPick(view, move);
          }}
        />
      )}
    </PopoverBeside>
  );
}
