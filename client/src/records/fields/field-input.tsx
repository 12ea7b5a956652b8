import { type ChangeEvent, type KeyboardEvent, useRef } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { isTemporal } from "../../../../shared/filter/value-kinds.ts";
import type { FieldType } from "../../../../shared/model/field-types.ts";
import { kindOfType, traitsOf } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { richText } from "../../messages/rich-text.tsx";
import { initialsOf } from "../../ui/initials.ts";
import { userColour } from "../../ui/user-colour.ts";
import { badgeColour } from "./badge-colour.ts";
import { ChoiceList } from "./choice-list.tsx";
import { ComboBox } from "./combo-box.tsx";
import { DayPicker } from "./day-picker.tsx";
import classes from "./fields.module.css";
import { InputError } from "./input-error.tsx";
import { type InputProps, inputLook } from "./input-props.ts";
import { useLookUp } from "./look-up.ts";
import { MultiSelectInput } from "./multi-select-input.tsx";
import { isNumberType } from "./number-text.ts";
import { isSaveKey } from "./save-key.ts";
import { useChoice } from "./use-choice.ts";
import { useDraftText } from "./use-draft-text.ts";

/** The input for a field of any type: the same in a grid cell and in the record's form. */
export function FieldInput(props: InputProps) {
  const { kind, names, hasLines } = traitsOf(props.field.type);
  if (kind === "list") return <MultiSelectInput {...props} />;
  if (names !== undefined || kind === "boolean") return <ChoiceInput {...props} />;
  return hasLines ? <LongTextInput {...props} /> : <TextInput {...props} />;
}

/** Whether the input of a type needs more space than a cell offers. */
export function isLong(type: FieldType): boolean {
  return traitsOf(type).hasLines === true;
}

/** An input with a list of choices: options, yes and no, users, linked records. */
function ChoiceInput(props: InputProps) {
  const { field, value } = props;
  const choice = useChoice(props);
  return (
    <ComboBox
      input={props}
      combo={choice}
      lead={choice.untouched && <ChoiceLead field={field} value={value} />}
      selects
      error={choice.problem !== null && <InputError message={choice.problem} />}
      list={(id) => (
        <ChoiceList
          id={id}
          label={field.label}
          kind={kindOf(field.type)}
          choices={choice.choices}
          active={choice.active}
          current={value}
          note={choice.note}
          onPick={choice.pick}
          onHover={choice.mark}
        />
      )}
    />
  );
}

function kindOf(type: InputProps["field"]["type"]) {
  if (type === "select") return "option";
  return type === "person" ? "person" : "plain";
}

/** The dot of an option or the avatar of a user, before its name in an input. Decorative. */
function ChoiceLead({ field, value }: { field: Field; value: Json }) {
  const lookUp = useLookUp();
  if (value === null) return null;
  if (field.type === "select") {
    const colour = field.options?.find((option) => option.value === value)?.colour;
    return <span className={classes.dot} style={{ background: badgeColour(colour) }} />;
  }
  if (field.type !== "person") return null;
  const user = lookUp.get(field, String(value));
  const colour = { ["--wf-user-colour" as string]: userColour(user?.colour ?? "gray") };
  return (
    <span className={`wf-avatar ${classes.lead}`} style={colour} aria-hidden="true">
      {user && initialsOf(user.label)}
    </span>
  );
}

/** Which keys a phone offers. */
function keyboardOf(type: FieldType): "decimal" | "email" | "tel" | "url" | undefined {
  if (isNumberType(type)) return "decimal";
  return type === "email" || type === "url" ? type : type === "phone" ? "tel" : undefined;
}

/** One line of text that is read by the type of its field: numbers, days, addresses and plain text. */
function TextInput(props: InputProps) {
  const { field, look, id, describedBy, locked } = props;
  const { text, problem, write } = useDraftText(props);
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // Lines that are pasted into it are words of one.
  const Input = props.wraps ? "textarea" : "input";
  const hasPicker = isTemporal(kindOfType[field.type]);
  const [frame, own] = inputLook(look, problem !== null, props.wraps);
  return (
    <span {...frame} {...(props.wraps && { "data-wraps": text })}>
      <Input
        {...own}
        ref={input}
        rows={props.wraps ? 1 : undefined}
        id={id}
        dir="auto"
        data-numeric={isNumberType(field.type) || undefined}
        value={text}
        aria-label={props.label ?? (look === "cell" ? field.label : undefined)}
        aria-invalid={problem !== null || undefined}
        aria-describedby={describedBy}
        aria-description={locked}
        tabIndex={locked === undefined ? undefined : -1}
        placeholder={locked === undefined ? undefined : " "}
        inputMode={keyboardOf(field.type)}
        spellCheck={field.type === "text"}
        onChange={(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
          write(event.target.value.replaceAll(/\r?\n/g, " "))
        }
        onKeyDown={(event: KeyboardEvent) => {
          if (props.wraps && event.key === "Enter") event.preventDefault();
          if (isSaveKey(event) && problem === null && look === "cell") {
            event.preventDefault();
            props.onDone();
            return;
          }
          if (event.key === "Enter" && problem === null && look === "form") props.onDone();
          // In a cell, Enter and Tab lead on: what can't be read is listed as unsaved, and the next keys belong to the next cell.
          const stays = event.key === "Enter" && (look === "form" || isSaveKey(event));
          if (problem !== null && stays) {
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

/**
 * An input for text of several lines. In a cell, Enter ends the edit and Shift or Alt with Enter inserts a line break;
 * in a form, Enter inserts one.
 */
function LongTextInput(props: InputProps) {
  const { field, look } = props;
  const { text, problem, write } = useDraftText(props);
  const area = useRef<HTMLTextAreaElement>(null);
  const [frame, own] = inputLook(look, problem !== null, true);
  return (
    <span {...frame}>
      <textarea
        {...own}
        ref={area}
        id={props.id}
        dir="auto"
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
