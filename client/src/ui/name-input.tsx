import { TextInput, type TextInputProps } from "@mantine/core";

/** The required name of what a form creates or renames. It has the focus first. */
export function NameInput(
  props: Pick<TextInputProps, "label" | "description" | "defaultValue" | "maxLength">,
) {
  return (
    <TextInput name="name" required maxLength={120} autoComplete="off" data-autofocus {...props} />
  );
}
