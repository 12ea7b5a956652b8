import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { foldCase } from "../../../../shared/filter/fold-case.ts";
import { isReference } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { type Choice, knownChoices, localChoices, remoteChoices } from "./choices.ts";
import type { InputProps } from "./input-props.ts";
import { type LookUp, useLookUp } from "./look-up.ts";
import { isSaveKey } from "./save-key.ts";
import type { Parsed } from "./typed-text.ts";
import { inputText, parseInput } from "./typed-text.ts";

/** Saves requests between two fast keystrokes. */
const SEARCH_DELAY_MS = 120;
/** With so many choices, others may have the same label. */
const SEARCHED_MAX = 30;

/**
 * The state of an input with a list of choices. Typing filters; Enter and Tab choose the active item; an empty input
 * clears the field. No key waits for a list: in a cell, and before the server has answered, Enter and Tab lead on with the text alone,
 * which the host looks up or lists as unsaved; in a form they stay with a text that names nothing. In a form whose host looks up nothing,
 * Enter chooses the first item once the list is there, and Tab the only one.
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
  /** What becomes of the text once its list is there. */
  const waiting = useRef<"choose" | "leave" | null>(null);
  const list = useChoices(field, typed ? (text ?? "") : "", lookUp);
  const { choices, searching, failed } = list;
  const emptied = typed && (text ?? "").trim() === "";
  const current = choices.findIndex((choice) => choice.value === value);
  const isAnswered = typed && !searching && !failed;
  const offered =
    props.creates && isAnswered ? createChoice(lookUp, { field, text: text ?? "", choices }) : [];
  const listed = [...choices, ...offered];
  // Nothing is created that was not chosen from the list. What has exactly the typed label goes before what only begins with it.
  // Where the server can't be asked, others may have a better name: only what is pointed at is chosen.
  const first = failed
    ? -1
    : Math.max(choices.findIndex(isCalled(text ?? "")), choices.length > 0 ? 0 : -1);
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
  /** Until an item is chosen, a text counts only if it equals the label of one, and no other can have it. */
  const draftOf = (next: string, isSearched: boolean): Parsed => {
    const [exact, ...others] = list.allOf(next).filter(isCalled(next));
    if (exact && others.length === 0) return { ok: true, value: exact.value };
    // Other words for yes and no, and the value of an option, as a paste reads them.
    const parsed = !exact && !isReference(field.type) ? parseInput(field, next) : null;
    if (parsed?.ok) return parsed;
    const message = exact ? messages.manyNamed({ field: field.label, text: next.trim() }) : null;
    return { ok: false, message: message ?? notChosenMessage(next), unsearched: !isSearched };
  };
  const chooseOnly = () => {
    const [only, ...others] = choices;
    if (only && others.length === 0 && !failed) choose(only);
  };
  useEffect(() => {
    const how = waiting.current;
    if (how === null || searching) return;
    waiting.current = null;
    const found = choices[first];
    if (how === "leave") chooseOnly();
    else if (found) pick(found);
  });
  // The server has said what there is for the text. Reported before the next key is handled, whose text it must not replace.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports once for each answer; `draftOf` and the props are new at each render.
  useLayoutEffect(() => {
    if (isAnswered && isReference(field.type) && !emptied && text !== null)
      props.onDraft(draftOf(text, true), text);
  }, [isAnswered, text]);

  // The character that opened the editor is its first draft.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the editor opens.
  useEffect(() => {
    if (props.typed !== undefined) props.onDraft(draftOf(props.typed, isAnswered), props.typed);
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
    } else if (
      look !== "cell" &&
      typed &&
      (isAnswered || (event.key === "Enter" && !props.looksUp))
    ) {
      waiting.current = searching ? "choose" : null;
      event.stopPropagation();
      event.preventDefault();
    }
  };
  const type = (next: string) => {
    waiting.current = null;
    setText(next);
    setTyped(true);
    setMarked(undefined);
    setOpen(true);
    if (next.trim() === "") clear();
    else props.onDraft(draftOf(next, !isReference(field.type)), next);
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
      if (!typed || emptied) setTyped(false);
      else if (!searching) chooseOnly();
      else if (!props.looksUp) waiting.current = "leave";
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
    problem: typed && !open && !emptied && !searching ? notChosenMessage(text ?? "") : null,
    type,
    pick,
    onKeyDown,
    leave,
    show: () => setOpen(true),
    mark: setMarked,
  };
}

/** Whether a choice has exactly this label, except for case. */
function isCalled(text: string): (choice: Choice) => boolean {
  const wanted = foldCase(text.trim());
  return ({ label }) => foldCase(label.trim()) === wanted;
}

function notChosenMessage(text: string): string {
  return messages.notChosen({ text: text.trim() });
}

function noteFor(searching: boolean, failed: boolean, count: number, emptied: boolean) {
  if (emptied) return messages.enterClears();
  if (failed && !searching) return count > 0 ? messages.onlyKnown() : messages.searchFailed();
  if (count > 0) return undefined;
  return searching ? messages.searching() : messages.noResults();
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

interface ChoicesOfText {
  choices: Choice[];
  /** Until the server has answered for the text. */
  searching: boolean;
  failed: boolean;
  /**
   * All choices whose label holds a text, which may be typed but not drawn yet; none where they are not known. The whole list
   * for a part of the text has them all.
   */
  allOf(text: string): Choice[];
}

/** The choices for the text typed so far. */
function useChoices(field: Field, text: string, lookUp: LookUp): ChoicesOfText {
  const remote = isReference(field.type);
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
          () => setResult(knownChoices(lookUp, field, text), true),
        );
      },
      text ? SEARCH_DELAY_MS : 0,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [field, text, lookUp, remote]);
  if (!remote) {
    const allOf = (of: string) => localChoices(field, of);
    return { choices: allOf(text), searching: false, failed: false, allOf };
  }
  const { choices = [], failed = false } = answer ?? {};
  const isWhole = answer !== undefined && !failed && choices.length < SEARCHED_MAX;
  const part = foldCase(answer?.text.trim() ?? "");
  const allOf = (of: string) => (isWhole && foldCase(of).includes(part) ? choices : []);
  return { choices, searching: answer?.text !== text, failed, allOf };
}
