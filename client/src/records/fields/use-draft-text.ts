import { useEffect, useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { kindOfType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import type { InputProps } from "./input-props.ts";
import { besideInstant } from "./instant.ts";
import { editorText, type Parsed, parseInput } from "./typed-text.ts";

/**
 * The text of a text input. It follows the value until the user types. A new `round` resets it, because the draft became
 * an edit or was dropped. A value chosen from a list is used as it is and shown as text.
 */
export function useDraftText({ field, value, typed, round, onDraft }: InputProps) {
  const [text, setText] = useState<string | null>(null);
  const [draft, setDraft] = useState<Parsed | null>(null);
  const write = (next: string) => {
    // The text of a time has no seconds: an unchanged text means the whole value.
    const isUnchanged = next === editorText(field, value);
    const parsed: Parsed = isUnchanged ? { ok: true, value } : parsedBeside(field, next, value);
    setText(next);
    setDraft(parsed);
    onDraft(parsed, next);
  };
  const setValue = (value: Json) => {
    const taken: Parsed = { ok: true, value };
    setText(editorText(field, value));
    setDraft(taken);
    onDraft(taken, editorText(field, value));
  };
  // The character that opened the editor is its first draft; no later render may repeat it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the editor opens.
  useEffect(() => {
    if (typed !== undefined) write(typed);
  }, []);
  useEffect(() => {
    if (round === undefined) return;
    setText(null);
    setDraft(null);
  }, [round]);
  return {
    text: text ?? typed ?? editorText(field, value),
    /** The parsed value; undefined while the text is invalid. */
    parsedValue: draft === null ? value : draft.ok ? draft.value : undefined,
    problem: draft && !draft.ok ? draft.message : null,
    write,
    take: setValue,
  };
}

/** The value of a text that is typed in place of a value. */
function parsedBeside(field: Field, text: string, value: Json | undefined): Parsed {
  const parsed = parseInput(field, text);
  const isInstant = kindOfType[field.type] === "timestamp" && typeof value === "string";
  if (!isInstant || !parsed.ok || typeof parsed.value !== "string") return parsed;
  return { ok: true, value: besideInstant(parsed.value, value) };
}
