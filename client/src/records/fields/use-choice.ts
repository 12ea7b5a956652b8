import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { type Choice, isRemote, localChoices, remoteChoices } from "./choices.ts";
import type { InputProps } from "./input-props.ts";
import { inputText } from "./input-text.ts";
import { type LookUp, useLookUp } from "./look-up.ts";
import type { Parsed } from "./parse-input.ts";
import { isSaveKey } from "./save-key.ts";

/** Saves requests between two fast keystrokes. */
const SEARCH_DELAY_MS = 120;
/** With so many choices, others may have the same label. */
const SEARCHED_MAX = 30;

/**
 * The state of an input with a list of choices. Typing filters; Enter and Tab choose the active item; an empty input
 * clears the field. Enter before the server has answered waits for the answer and chooses its first item, so that fast
 * typing is not lost.
 */
export function useChoice(props: InputProps) {
  const { field, look, value } = props;
  const lookUp = useLookUp();
  const shown = inputText(field, value, (of, id) => lookUp.labelOf(of, id) ?? "");
  // What was typed or just chosen; null while the value itself is shown.
  const [text, setText] = useState<string | null>(props.typed ?? null);
  const [typed, setTyped] = useState(props.typed !== undefined);
  const [open, setOpen] = useState(look === "cell");
  const [marked, setMarked] = useState<number>();
  const chooseFirst = useRef(false);
  const { choices, searching, failed } = useChoices(field, typed ? (text ?? "") : "", lookUp);
  const emptied = typed && (text ?? "").trim() === "";
  const current = choices.findIndex((choice) => choice.value === value);
  const isAnswered = typed && !searching && !failed;
  const offered =
    props.creates && isAnswered ? createChoice(lookUp, { field, text: text ?? "", choices }) : [];
  const listed = [...choices, ...offered];
  // Nothing is created that was not chosen from the list.
  const first = choices.length > 0 ? 0 : -1;
  const active = marked ?? (emptied ? -1 : typed ? first : current);

  const choose = (chosen: Choice) => {
    const created = chosen.creates && lookUp.create?.(field, chosen.creates);
    const choice = created ? { value: created.id, label: created.label } : chosen;
    setText(choice.label);
    setTyped(false);
    setOpen(false);
    props.onDraft({ ok: true, value: choice.value }, choice.label);
  };
  const pick = (choice: Choice) => {
    choose(choice);
    props.onDone();
  };
  const clear = () =>
    props.onDraft(
      field.required
        ? { ok: false, message: messages.required({ field: field.label }) }
        : { ok: true, value: null },
      "",
    );
  /** Until an item is chosen, a text counts only if it equals the label of one. */
  const draftOf = (next: string): Parsed => {
    const wanted = next.trim().toLowerCase();
    const exact = choices.find(({ label }) => label.toLowerCase() === wanted);
    if (exact) return { ok: true, value: exact.value };
    return { ok: false, message: notChosenMessage(next) };
  };
  useEffect(() => {
    if (!chooseFirst.current || searching) return;
    chooseFirst.current = false;
    const [first] = choices;
    if (first) pick(first);
  });

  // The character that opened the editor is its first draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the editor opens.
  useEffect(() => {
    if (props.typed !== undefined) props.onDraft(draftOf(props.typed), props.typed);
  }, []);
  useEffect(() => {
    if (props.round === undefined) return;
    setText(null);
    setTyped(false);
  }, [props.round]);

  const chooseActive = (event: KeyboardEvent) => {
    const choice = listed[active];
    if (emptied && marked === undefined) clear();
    else if (choice && !searching && (typed || marked !== undefined)) {
      // The key is for the list: it does not send the form around it.
      if (look === "form" && event.key === "Enter") event.preventDefault();
      choose(choice);
    } else if (typed) {
      chooseFirst.current = searching;
      event.stopPropagation();
      event.preventDefault();
    }
  };
  const type = (next: string) => {
    setText(next);
    setTyped(true);
    setMarked(undefined);
    setOpen(true);
    if (next.trim() === "") clear();
    else props.onDraft(draftOf(next), next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setMarked(Math.max(0, Math.min(listed.length - 1, active + step)));
    } else if (event.key === "Enter" || event.key === "Tab") {
      if (open) chooseActive(event);
      if (isSaveKey(event) || (look === "form" && event.key === "Enter")) props.onDone();
    } else if (event.key === "Escape" && look === "form" && open) {
      event.stopPropagation();
      reset();
    }
  };
  /** Closes the list. What was typed or chosen is dropped, also from the host's draft. */
  const reset = () => {
    setOpen(false);
    setTyped(false);
    setText(null);
    if (text === null) return;
    if (props.onReset) props.onReset();
    else if (value === null) clear();
    else props.onDraft({ ok: true, value }, shown);
  };
  const leave = () => {
    if (look === "form") {
      if (typed && !emptied) {
        const [only, ...others] = choices;
        if (only && others.length === 0 && !searching) choose(only);
      } else setTyped(false);
      setOpen(false);
    }
    props.onBlur?.();
  };
  const note = noteFor(searching, failed, choices.length, emptied);
  return {
    text: text ?? shown,
    isWaiting: text === null && shown === "" && value !== null && value !== undefined,
    untouched: text === null,
    open: open && (listed.length > 0 || note !== undefined),
    choices: listed,
    active,
    note,
    problem: typed && !open && !emptied ? notChosenMessage(text ?? "") : null,
    type,
    pick,
    onKeyDown,
    leave,
    show: () => setOpen(true),
    mark: setMarked,
  };
}

function notChosenMessage(text: string): string {
  return messages.notChosen({ text: text.trim() });
}

function noteFor(searching: boolean, failed: boolean, count: number, emptied: boolean) {
  if (emptied) return messages.enterClears();
  if (count > 0) return undefined;
  if (searching) return messages.searching();
  return failed ? messages.searchFailed() : messages.noResults();
}

/** The choice to create a target with the text as label; none where there is such a target, or may be. */
function createChoice(
  lookUp: LookUp,
  { field, text, choices }: { field: Field; text: string; choices: readonly Choice[] },
): Choice[] {
  const label = text.trim();
  const isKnown = choices.some((choice) => choice.label.toLowerCase() === label.toLowerCase());
  if (field.type !== "link" || label === "" || isKnown || choices.length >= SEARCHED_MAX) return [];
  if (!lookUp.isCreatable?.(field, label)) return [];
  return [{ value: null, label: messages.create({ label }), creates: label }];
}

/** The choices for the text typed so far; `searching` until the server has answered for that text. */
function useChoices(
  field: Field,
  text: string,
  lookUp: LookUp,
): { choices: Choice[]; searching: boolean; failed: boolean } {
  const remote = isRemote(field);
  const [answer, setAnswer] = useState<{ text: string; choices: Choice[]; failed: boolean }>();
  useEffect(() => {
    if (!remote) return;
    let current = true;
    const setResult = (choices: Choice[], failed: boolean) => {
      if (current) setAnswer({ text, choices, failed });
    };
    const timer = setTimeout(
      () => {
        remoteChoices(lookUp, field, text).then(
          (choices) => setResult(choices, false),
          () => setResult([], true),
        );
      },
      text ? SEARCH_DELAY_MS : 0,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [field, text, lookUp, remote]);
  if (!remote) return { choices: localChoices(field, text), searching: false, failed: false };
  return {
    choices: answer?.choices ?? [],
    searching: answer?.text !== text,
    failed: answer?.failed ?? false,
  };
}
