import { ActionIcon } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useRef } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import classes from "./fields.module.css";
import { localText, parseDay, parseInstant } from "./instant.ts";

interface Props {
  field: Field;
  text: string;
  onPick(text: string): void;
}

/**
 * A button that opens the browser's own calendar. It is not in the tab order: dates can be typed, and Tab has to lead
 * to the next cell.
 */
export function DayPicker({ field, text, onPick }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const withTime = field.type === "timestamp";
  const value = withTime ? pickerInstant(text) : (parseDay(text) ?? "");
  return (
    <span className={classes.picker}>
      <ActionIcon
        size={26}
        radius="sm"
        tabIndex={-1}
        aria-label={messages.openCalendar({ field: field.label })}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => picker.current?.showPicker()}
      >
        <IconCalendar size={16} aria-hidden="true" />
      </ActionIcon>
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
