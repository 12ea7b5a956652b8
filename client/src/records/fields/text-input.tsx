import { useRef } from "react";
import type { FieldType } from "../../../../shared/model/model.ts";
import { DayPicker } from "./day-picker.tsx";
import classes from "./fields.module.css";
import { InputError } from "./input-error.tsx";
import type { InputProps } from "./input-props.ts";
import { isSaveKey } from "./save-key.ts";
import { useDraftText } from "./use-draft-text.ts";

const numeric: readonly FieldType[] = ["integer", "decimal", "money", "percent"];

/** One line of text that is read by the type of its field: numbers, days, addresses and plain text. */
export function TextInput(props: InputProps) {
  const { field, look, id, describedBy, locked } = props;
  const { text, problem, write } = useDraftText(props);
  const input = useRef<HTMLInputElement>(null);
  const hasPicker = field.type === "date" || field.type === "timestamp";
  return (
    <span className={classes.line} data-look={look}>
      <input
        ref={input}
        id={id}
        dir="auto"
        className={classes.input}
        data-numeric={numeric.includes(field.type) || undefined}
        value={text}
        aria-label={props.label ?? (look === "cell" ? field.label : undefined)}
        aria-invalid={problem !== null || undefined}
        aria-describedby={describedBy}
        aria-description={locked}
        tabIndex={locked === undefined ? undefined : -1}
        placeholder={locked === undefined ? undefined : " "}
        inputMode={numeric.includes(field.type) ? "decimal" : undefined}
        autoComplete="off"
        spellCheck={field.type === "text"}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (isSaveKey(event) && problem === null && look === "cell") {
            event.preventDefault();
            props.onDone();
            return;
          }
          if (event.key === "Enter" && problem === null && look === "form") props.onDone();
          // In a form Tab always leads on; in a cell it would throw away what was typed.
          const leaves = event.key === "Enter" || (event.key === "Tab" && look === "cell");
          if (problem !== null && leaves) {
            event.stopPropagation();
            event.preventDefault();
          }
        }}
        onFocus={props.onFocus}
        onBlur={props.onBlur}
      />
      {hasPicker && <DayPicker {...{ field, text, input }} onPick={write} />}
      {problem !== null && <InputError message={problem} />}
    </span>
  );
}
