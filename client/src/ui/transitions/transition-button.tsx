import type { Field } from "../../../../shared/model/model.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { optionLabel } from "../fields/format-value.ts";
import { DotButton } from "./dot-button.tsx";

interface Props {
  option: TransitionOption;
  /** The state field: for colour and name of the state that the move leads to. */
  field: Field;
  onPick(option: TransitionOption): void;
  fullWidth?: boolean;
}

/** One move. */
export function TransitionButton({ option, field, onPick, fullWidth = false }: Props) {
  const { transition, obstacle } = option;
  const to = optionLabel(field, transition.to);
  return (
    <DotButton
      label={transition.label}
      colour={field.options?.find(({ value }) => value === transition.to)?.colour}
      hint={obstacle?.message ?? `Moves to ${to}`}
      blocked={obstacle !== null}
      note={to}
      fullWidth={fullWidth}
      onPick={() => onPick(option)}
    />
  );
}
