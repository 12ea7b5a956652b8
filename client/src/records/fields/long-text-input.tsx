import { useRef } from "react";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { richText } from "../../messages/rich-text.tsx";
import classes from "./fields.module.css";
import { InputError } from "./input-error.tsx";
import type { InputProps } from "./input-props.ts";
import { isSaveKey } from "./save-key.ts";
import { useDraftText } from "./use-draft-text.ts";

/**
 * An input for text of several lines. In a cell, Enter ends the edit and Shift or Alt with Enter inserts a line break;
 * in a form, Enter inserts one.
 */
export function LongTextInput(props: InputProps) {
  const { field, look } = props;
  const { text, problem, write } = useDraftText(props);
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <span className={classes.block} data-look={look}>
      <textarea
        ref={area}
        id={props.id}
        dir="auto"
        className={classes.area}
        rows={look === "cell" ? 6 : Math.min(10, Math.max(3, text.split("\n").length))}
        value={text}
        aria-label={props.label ?? (look === "cell" ? field.label : undefined)}
        aria-invalid={problem !== null || undefined}
        aria-describedby={props.describedBy}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (look !== "cell" || event.key !== "Enter") return;
          if (isSaveKey(event)) {
            event.preventDefault();
            if (problem === null) props.onDone();
            return;
          }
          if (event.shiftKey || event.altKey) event.stopPropagation();
          else event.preventDefault();
          if (event.altKey) write(insertBreak(area.current));
        }}
        onFocus={props.onFocus}
        onBlur={props.onBlur}
      />
      {look === "cell" && (
        <span className={classes.hint}>
          {richText(messages.editorKeys(), { kbd: (key) => <kbd>{key}</kbd> })}
        </span>
      )}
      {problem !== null && <InputError message={problem} />}
    </span>
  );
}

function insertBreak(area: HTMLTextAreaElement | null): string {
  if (!area) return "";
  area.setRangeText("\n", area.selectionStart, area.selectionEnd, "end");
  return area.value;
}
