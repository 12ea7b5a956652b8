import type { Field } from "../../../../shared/model/model.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { transitionMessages as messages } from "../../messages/en/transitions.ts";
import { optionLabel } from "../fields/format-value.ts";
import { DotButton } from "./dot-button.tsx";

interface Props {
  option: TransitionOption;
  /** The state field, for the colour and label of the new state. */
  field: Field;
  onPick(option: TransitionOption): void;
  fullWidth?: boolean;
}

/** The button of a transition. */
export function TransitionButton({ option, field, onPick, fullWidth = false }: Props) {
  const { transition, obstacle } = option;
  const to = optionLabel(field, transition.to);
  return (
    <DotButton
      label={transition.label}
      colour={field.options?.find(({ value }) => value === transition.to)?.colour}
      hint={obstacle?.message ?? messages.changesTo({ state: to })}
      blocked={obstacle !== null}
      note={to}
      fullWidth={fullWidth}
      onPick={() => onPick(option)}
    />
  );
}
