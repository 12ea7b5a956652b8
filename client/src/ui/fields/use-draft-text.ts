import { useEffect, useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { InputProps } from "./input-props.ts";
import { editorText } from "./input-text.ts";
import { type Parsed, parseInput } from "./parse-input.ts";

/**
 * The text of an input that is typed rather than chosen. Until something is typed it follows the
 * value; a new `round` forgets what was typed, because it has become an edit or was dropped. A value
 * that is chosen from a list is taken as it is and shown as text.
 */
export function useDraftText({ field, value, typed, round, onDraft }: InputProps) {
  const [text, setText] = useState<string | null>(null);
  const [draft, setDraft] = useState<Parsed | null>(null);
  const write = (next: string) => {
    // the text of a time has no seconds: as it was, it stands for the whole value
    const isUnchanged = next === editorText(field, value);
    const parsed: Parsed = isUnchanged ? { ok: true, value } : parseInput(field, next);
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
    /** What the text stands for; undefined while it stands for nothing. */
    parsedValue: draft === null ? value : draft.ok ? draft.value : undefined,
    problem: draft && !draft.ok ? draft.message : null,
    write,
    take: setValue,
  };
}
