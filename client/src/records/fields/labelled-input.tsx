import { Stack } from "@mantine/core";
import { useId } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { ErrorText, Hint } from "../../ui/texts.ts";
import classes from "../transitions/transitions.module.css";
import { FieldInput } from "./field-input.tsx";
import type { Parsed } from "./parse-input.ts";

interface Props {
  field: Field;
  /** A sentence below the label. */
  hint?: string;
  problem: string | undefined;
  onDraft(parsed: Parsed, text: string): void;
}

/** An empty input for a field in a dialog, with its label, a hint and a problem. */
export function LabelledInput({ field, hint, problem, onDraft }: Props) {
  const id = useId();
  const texts = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean);
  return (
    <Stack gap={4}>
      <label className={classes.fieldLabel} htmlFor={id}>
        {field.label}
      </label>
      {hint && (
        <Hint id={`${id}-hint`} fz="xs">
          {hint}
        </Hint>
      )}
      <FieldInput
        id={id}
        field={field}
        value={null}
        look="form"
        describedBy={texts.length > 0 ? texts.join(" ") : undefined}
        onDraft={onDraft}
        onDone={() => {}}
      />
      {problem && (
        <ErrorText id={`${id}-problem`} role="alert">
          {problem}
        </ErrorText>
      )}
    </Stack>
  );
}
