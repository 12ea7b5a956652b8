import { useId } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import classes from "../transitions/transitions.module.css";
import { FieldInput } from "./field-input.tsx";
import type { LookUp } from "./look-up.ts";
import type { Parsed } from "./parse-input.ts";

interface Props {
  field: Field;
  lookUp: LookUp;
  /** A sentence below the label. */
  hint?: string;
  problem: string | undefined;
  onDraft(parsed: Parsed): void;
}

/** An empty input for a field in a dialog, with its label, a hint and a problem. */
export function LabelledInput({ field, lookUp, hint, problem, onDraft }: Props) {
  const id = useId();
  const texts = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean);
  return (
    <div className={classes.field}>
      <label className={classes.fieldLabel} htmlFor={id}>
        {field.label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className={classes.hint}>
          {hint}
        </p>
      )}
      <FieldInput
        id={id}
        field={field}
        value={null}
        look="form"
        lookUp={lookUp}
        describedBy={texts.length > 0 ? texts.join(" ") : undefined}
        onDraft={onDraft}
        onDone={() => {}}
      />
      {problem && (
        <p id={`${id}-problem`} className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
