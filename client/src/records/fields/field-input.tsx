import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field, FieldType } from "../../../../shared/model/model.ts";
import { initialsOf } from "../../ui/initials.ts";
import { userColour } from "../../ui/user-colour.ts";
import { badgeColour } from "./badge-colour.ts";
import { ChoiceList } from "./choice-list.tsx";
import { ComboBox } from "./combo-box.tsx";
import classes from "./fields.module.css";
import { InputError } from "./input-error.tsx";
import type { InputProps } from "./input-props.ts";
import { LongTextInput } from "./long-text-input.tsx";
import { useLookUp } from "./look-up.ts";
import { MultiSelectInput } from "./multi-select-input.tsx";
import { TextInput } from "./text-input.tsx";
import { useChoice } from "./use-choice.ts";

const choiceTypes: readonly FieldType[] = ["select", "boolean", "person", "link"];
const longTypes: readonly FieldType[] = ["longText", "json"];

/** The input for a field of any type: the same in a grid cell and in the record's form. */
export function FieldInput(props: InputProps) {
  if (choiceTypes.includes(props.field.type)) return <ChoiceInput {...props} />;
  if (props.field.type === "multiSelect") return <MultiSelectInput {...props} />;
  if (isLong(props.field.type)) return <LongTextInput {...props} />;
  return <TextInput {...props} />;
}

/** Whether the input of a type needs more space than a cell offers. */
export function isLong(type: FieldType): boolean {
  return longTypes.includes(type);
}

/** An input with a list of choices: options, yes and no, users, linked records. */
function ChoiceInput(props: InputProps) {
  const { field, value } = props;
  const choice = useChoice(props);
  return (
    <ComboBox
      input={props}
      combo={choice}
      lead={choice.untouched && <ChoiceLead field={field} value={value} />}
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

/** The dot of an option or the avatar of a user, before its name in an input. Decorative. */
function ChoiceLead({ field, value }: { field: Field; value: Json }) {
  const lookUp = useLookUp();
  if (value === null) return null;
  if (field.type === "select") {
    const colour = field.options?.find((option) => option.value === value)?.colour;
    return <span className={classes.dot} style={{ background: badgeColour(colour) }} />;
  }
  if (field.type !== "person") return null;
  const user = lookUp.get(field, String(value));
  const colour = { ["--wf-user-colour" as string]: userColour(user?.colour ?? "gray") };
  return (
    <span className={`wf-avatar ${classes.lead}`} style={colour} aria-hidden="true">
      {user && initialsOf(user.label)}
    </span>
  );
}
