import { TextInput, type TextInputProps } from "@mantine/core";
import { noFill } from "./no-fill.ts";

/** The required name of what a form creates or renames. It has the focus first. */
export function NameInput(
  props: Pick<TextInputProps, "label" | "description" | "defaultValue" | "maxLength">,
) {
  return <TextInput {...noFill} name="name" required maxLength={120} data-autofocus {...props} />;
}
