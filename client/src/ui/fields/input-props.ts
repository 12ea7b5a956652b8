import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import type { LookUp } from "./look-up.ts";
import type { Parsed } from "./parse-input.ts";

/**
 * What every input of a field is given. It owns the text being typed and nothing else: each draft is
 * told outwards, and whoever hosts the input (a grid cell, a form row) decides when it is an edit.
 */
export interface InputProps {
  field: Field;
  value: Json;
  /** What was typed before the input was there: it replaces the value, as in a spreadsheet. */
  typed?: string | undefined;
  /** Counts the edits made with a form's input: with each new one it forgets what was typed. */
  round?: number | undefined;
  look: "cell" | "form";
  lookUp: LookUp;
  /** Id of the input, for its label. */
  id?: string | undefined;
  /** Its name, where no label element names it. */
  label?: string | undefined;
  /** Ids of texts that explain the state of the field. */
  describedBy?: string | undefined;
  onDraft(draft: Parsed, text: string): void;
  /** Something was chosen for good: finish now. */
  onDone(): void;
  onFocus?(): void;
  onBlur?(): void;
}
