import { transitionMessages as messages } from "../../messages/en/transitions.ts";
import { Hint } from "../../ui/texts.ts";
import { DotButton } from "./dot-button.tsx";
import classes from "./transitions.module.css";

/** A value that a record can be given. */
interface OptionChoice<V> {
  value: V;
  label: string;
  colour: string | undefined;
  /** Why it can't be chosen, or null. */
  reason: string | null;
}

interface Props<V> {
  label: string;
  choices: readonly OptionChoice<V>[];
  current: V;
  onPick(value: V): void;
}

/** A list of the values of a field. */
export function OptionList<V>({ label, choices, current, onPick }: Props<V>) {
  const [first] = choices;
  if (first?.reason && choices.every(({ reason }) => reason === first.reason)) {
    return <Hint>{first.reason}</Hint>;
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset.
    <div className={classes.list} data-column role="group" aria-label={label}>
      {choices.map(({ value, label: name, colour, reason }) => (
        <DotButton
          key={String(value)}
          label={name}
          colour={colour}
          hint={
            value === current
              ? messages.currentValue()
              : (reason ?? messages.setsTo({ field: label, option: name }))
          }
          blocked={value === current || reason !== null}
          note={value === current ? messages.current() : undefined}
          fullWidth
          onPick={() => onPick(value)}
        />
      ))}
    </div>
  );
}
