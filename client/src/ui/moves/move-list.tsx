import type { Field, Table } from "../../../../shared/model/model.ts";
import type { Move } from "../../../../shared/policy/possible-transitions.ts";
import { MoveButton } from "./move-button.tsx";
import classes from "./moves.module.css";

interface Props {
  table: Table;
  field: Field;
  moves: readonly Move[];
  onPick(move: Move): void;
  /** One below the other, with the states that they lead to: for menus. */
  column?: boolean;
}

/** The moves from a record's present state; says so where there is none. */
export function MoveList({ table, field, moves, onPick, column = false }: Props) {
  if (moves.length === 0) {
    return <p className={classes.none}>This is a final state: no move leads out of it.</p>;
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset.
    <div
      className={classes.list}
      data-column={column || undefined}
      role="group"
      aria-label={`Moves of this ${table.recordLabel}`}
    >
      {moves.map((move) => (
        <MoveButton
          key={move.transition.name}
          move={move}
          field={field}
          onPick={onPick}
          fullWidth={column}
        />
      ))}
    </div>
  );
}
