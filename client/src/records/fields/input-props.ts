import { Input } from "@mantine/core";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { noFill } from "../../ui/no-fill.ts";
import classes from "./fields.module.css";
import type { Parsed } from "./typed-text.ts";

/**
 * The props of every field input. It owns the typed text and nothing else: it reports each draft, and its host (a grid
 * cell, a form row) decides when it becomes an edit.
 */
export interface InputProps {
  field: Field;
  value: Json;
  /** Text typed before the input was mounted. It replaces the value, as in a spreadsheet. */
  typed?: string | undefined;
  /** Counts the edits made with a form's input. A new count resets the typed text. */
  round?: number | undefined;
  look: "cell" | "form";
  /** Whether an input for one line draws a longer text in several. */
  wraps?: boolean | undefined;
  /** Whether a link may be to a record that is created with it. */
  creates?: boolean | undefined;
  /** Whether its host looks up a text that is ended before its list is there, so that no key has to wait for the list. */
  looksUp?: boolean | undefined;
  /** Id of the input, for its label. */
  id?: string | undefined;
  /** Its accessible name, if it has no label element. */
  label?: string | undefined;
  /** Ids of texts that explain the state of the field. */
  describedBy?: string | undefined;
  /** Why the value can't be edited: typed text becomes an unsaved text. Tab passes the input over. */
  locked?: string | undefined;
  onDraft(draft: Parsed, text: string): void;
  /** The user took back what they had typed or chosen. Without this, the value itself is reported as the draft. */
  onReset?(): void;
  /** A value was chosen: end the edit. */
  onDone(): void;
  onFocus?(): void;
  onBlur?(): void;
}

/** The attributes of an input and of the element around it: in a form it looks like any other, in a cell it has the cell's frame. */
export function inputLook(look: InputProps["look"], isInvalid: boolean, hasLines = false) {
  const place = hasLines ? classes.block : classes.line;
  if (look === "cell") {
    const own = hasLines ? classes.area : classes.input;
    return [
      { className: place, "data-look": look },
      { className: own, ...noFill },
    ] as const;
  }
  const frame = {
    className: `${Input.classes.wrapper} ${place}`,
    "data-look": look,
    "data-variant": "default",
    "data-multiline": hasLines || undefined,
    "data-error": isInvalid || undefined,
  };
  return [frame, { className: `${Input.classes.input} mantine-Input-input`, ...noFill }] as const;
}
