import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { TransitionButton } from "./transition-button.tsx";
import classes from "./transitions.module.css";

interface Props {
  table: Table;
  field: Field;
  options: readonly TransitionOption[];
  onPick(option: TransitionOption): void;
  /** One below the other, with the states that they lead to: for menus. */
  column?: boolean;
}

/** The moves from a record's present state; says so where there is none. */
export function TransitionList({ table, field, options, onPick, column = false }: Props) {
  if (options.length === 0) {
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
      {options.map((option) => (
        <TransitionButton
          key={option.transition.name}
          option={option}
          field={field}
          onPick={onPick}
          fullWidth={column}
        />
      ))}
    </div>
  );
}
