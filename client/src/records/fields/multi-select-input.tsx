import { type KeyboardEvent, useState } from "react";
import { ChoiceList } from "./choice-list.tsx";
import { type Choice, localChoices } from "./choices.ts";
import { ComboBox } from "./combo-box.tsx";
import { listOf } from "./format-value.ts";
import { InputError } from "./input-error.tsx";
import type { InputProps } from "./input-props.ts";
import { isSaveKey } from "./save-key.ts";
import { typedOptions } from "./typed-text.ts";
import { useDraftText } from "./use-draft-text.ts";

/**
 * An input for several options: a text of their labels, as it is copied and pasted, and a list below it that marks the
 * chosen ones. The last typed item filters the list. Enter toggles the active item, or ends the edit if there is none. In a cell it ends
 * the edit with an item that was typed, too: the next text is that of the next cell, as in every other kind. Where the arrows led to
 * the item, the edit goes on with the other ones.
 */
export function MultiSelectInput(props: InputProps) {
  const { field } = props;
  const state = useMultiSelect(props);
  return (
    <ComboBox
      input={props}
      combo={state}
      error={state.problem !== null && <InputError message={state.problem} />}
      dir="auto"
      list={(id) => (
        <ChoiceList
          id={id}
          label={field.label}
          kind="option"
          choices={state.choices}
          active={state.active}
          current={state.chosen}
          note={undefined}
          onPick={state.toggle}
          onHover={() => undefined}
        />
      )}
    />
  );
}

function useMultiSelect(props: InputProps) {
  const { field, look } = props;
  const { text, parsedValue, problem, write, take } = useDraftText(props);
  const [open, setOpen] = useState(look === "cell");
  const [marked, setMarked] = useState<number>();
  const read = typedOptions(field, text);
  const chosen = parsedValue === undefined ? read.values : listOf(parsedValue);
  const rest = parsedValue === undefined ? read.rest : "";
  const choices = localChoices(field, rest);
  const isOpen = open && choices.length > 0;
  const active = marked ?? (rest === "" ? -1 : 0);

  const toggle = ({ value }: Choice) => {
    const option = String(value);
    const next = chosen.includes(option)
      ? chosen.filter((one) => one !== option)
      : [...chosen, option];
    if (next.length > 0) take(next);
    else write("");
    setMarked(undefined);
  };
  const step = (by: 1 | -1) => {
    setOpen(true);
    setMarked(Math.max(0, Math.min(choices.length - 1, active + by)));
  };
  const onEnd = (event: KeyboardEvent) => {
    const choice = isOpen ? choices[active] : undefined;
    if (choice) toggle(choice);
    else if (problem === null && look === "form" && event.key === "Enter") props.onDone();
    // Tab leaves with the chosen options; only in a form, Enter stays on invalid text.
    const isRefused = problem !== null && (look === "form" || isSaveKey(event));
    const goesOn = choice !== undefined && (look === "form" || marked !== undefined);
    if (event.key !== "Enter" || !(goesOn || isRefused)) return;
    event.stopPropagation();
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSaveKey(event) && problem === null) {
      event.preventDefault();
      props.onDone();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" || event.key === "Tab") {
      onEnd(event);
    } else if (event.key === "Escape" && look === "form" && isOpen) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return {
    text,
    // While the list is open, an incomplete text is not an error.
    problem: isOpen ? null : problem,
    choices,
    chosen,
    active,
    open: isOpen,
    toggle,
    onKeyDown,
    type: (next: string) => {
      write(next);
      setMarked(undefined);
      setOpen(true);
    },
    show: () => setOpen(true),
    leave: () => {
      if (look === "form") setOpen(false);
      props.onBlur?.();
    },
  };
}
