import type { Field } from "../../../../shared/model/model.ts";
import type { Move } from "../../../../shared/policy/possible-transitions.ts";
import { optionLabel } from "../fields/format-value.ts";
import { DotButton } from "./dot-button.tsx";

interface Props {
  move: Move;
  /** The state field: for colour and name of the state that the move leads to. */
  field: Field;
  onPick(move: Move): void;
  fullWidth?: boolean;
}

/** One move. */
export function MoveButton({ move, field, onPick, fullWidth = false }: Props) {
  const { transition, obstacle } = move;
  const to = optionLabel(field, transition.to);
  return (
    <DotButton
      label={transition.label}
      colour={field.options?.find(({ value }) => value === transition.to)?.colour}
      hint={obstacle?.message ?? `Moves to ${to}`}
      blocked={obstacle !== null}
      note={to}
      fullWidth={fullWidth}
      onPick={() => onPick(move)}
    />
  );
}
