import { IconCalendar } from "@tabler/icons-react";
import { type RefObject, useRef } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import classes from "./fields.module.css";
import { localText, parseDay, parseInstant } from "./instant.ts";

interface Props {
  field: Field;
  text: string;
  /** The input that the day is written into. It gets the focus, so that leaving it saves the day like typed text. */
  input: RefObject<HTMLInputElement | null>;
  onPick(text: string): void;
}

/**
 * A button that opens the browser's own calendar. It is not in the tab order: dates can be typed, and Tab has to lead
 * to the next cell.
 */
export function DayPicker({ field, text, input, onPick }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const withTime = field.type === "timestamp";
  const value = withTime ? pickerInstant(text) : (parseDay(text) ?? "");
  const open = () => {
    input.current?.focus();
    picker.current?.showPicker();
  };
  return (
    <span className={classes.picker}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={messages.openCalendar({ field: field.label })}
        onMouseDown={(event) => event.preventDefault()}
        onClick={open}
      >
        <IconCalendar size={16} aria-hidden="true" />
      </button>
      <input
        ref={picker}
        type={withTime ? "datetime-local" : "date"}
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        onChange={(event) => onPick(event.target.value.replace("T", " "))}
      />
    </span>
  );
}

function pickerInstant(text: string): string {
  const instant = parseInstant(text);
  return instant ? localText(instant).replace(" ", "T") : "";
}
