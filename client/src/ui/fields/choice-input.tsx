import { ChoiceLead } from "./choice-lead.tsx";
import { ChoiceList } from "./choice-list.tsx";
import { ComboBox } from "./combo-box.tsx";
import { InputError } from "./input-error.tsx";
import type { InputProps } from "./input-props.ts";
import { useChoice } from "./use-choice.ts";

/** An input with a list of choices: options, yes and no, users, linked records. */
export function ChoiceInput(props: InputProps) {
  const { field, lookUp, value } = props;
  const choice = useChoice(props);
  return (
    <ComboBox
      input={props}
      combo={choice}
      lead={choice.untouched && <ChoiceLead field={field} value={value} lookUp={lookUp} />}
      selects
      error={choice.problem !== null && <InputError message={choice.problem} />}
      list={(id) => (
        <ChoiceList
          id={id}
          label={field.label}
          kind={kindOf(field.type)}
          choices={choice.choices}
          active={choice.active}
          current={value}
          note={choice.note}
          onPick={choice.pick}
          onHover={choice.mark}
        />
      )}
    />
  );
}

function kindOf(type: InputProps["field"]["type"]) {
  if (type === "select") return "option";
  return type === "person" ? "person" : "plain";
}
