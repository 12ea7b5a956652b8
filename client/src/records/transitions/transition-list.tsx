import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { transitionMessages as messages } from "../../messages/en/transitions.ts";
import { explanationText } from "../../messages/error-text.ts";
import { Hint } from "../../ui/texts.ts";
import { useGiveFocus } from "../../ui/use-give-focus.ts";
import { optionLabel } from "../fields/format-value.ts";
import { DotButton } from "./dot-button.tsx";
import classes from "./transitions.module.css";

interface Props {
  table: Table;
  field: Field;
  options: readonly TransitionOption[];
  onPick(option: TransitionOption): void;
  /** As a column with the new states, for menus. */
  column?: boolean;
  /** Whether the first one is emphasized, as the one that is most probably next. */
  primary?: boolean;
}

/** The transitions from a record's present state. */
export function TransitionList({ table, field, options, onPick, column = false, primary }: Props) {
  const giveFocus = useGiveFocus();
  if (options.length === 0) {
    return <Hint>{messages.finalState()}</Hint>;
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset.
    <div
      // Those of another state are another list.
      key={options.map(({ transition }) => transition.name).join()}
      ref={giveFocus}
      className={classes.list}
      data-column={column || undefined}
      role="group"
      aria-label={messages.transitionsOf({ record: table.recordLabel })}
    >
      {options.map((option, index) => (
        <TransitionButton
          key={option.transition.name}
          option={option}
          field={field}
          onPick={onPick}
          fullWidth={column}
          primary={primary && index === 0}
        />
      ))}
    </div>
  );
}

interface TransitionButtonProps {
  option: TransitionOption;
  /** The state field, for the colour and label of the new state. */
  field: Field;
  onPick(option: TransitionOption): void;
  fullWidth?: boolean;
  primary?: boolean | undefined;
}

/** The button of a transition. */
function TransitionButton(props: TransitionButtonProps) {
  const { option, field, onPick, fullWidth = false, primary } = props;
  const { transition, obstacle } = option;
  const to = optionLabel(field, transition.to);
  return (
    <DotButton
      label={transition.label}
      colour={field.options?.find(({ value }) => value === transition.to)?.colour}
      hint={obstacle ? explanationText(obstacle) : messages.changesTo({ state: to })}
      blocked={obstacle !== null}
      note={to}
      fullWidth={fullWidth}
      primary={primary}
      onPick={() => onPick(option)}
    />
  );
}
