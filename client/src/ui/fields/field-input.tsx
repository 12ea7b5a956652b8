import type { FieldType } from "../../../../shared/model/model.ts";
import { ChoiceInput } from "./choice-input.tsx";
import type { InputProps } from "./input-props.ts";
import { LongTextInput } from "./long-text-input.tsx";
import { MultiSelectInput } from "./multi-select-input.tsx";
import { TextInput } from "./text-input.tsx";

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
