import { TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { noFill } from "../../../ui/no-fill.ts";
import { useBeforeLeaving } from "../../../ui/use-before-leaving.ts";
import { selectOnce } from "../select-once.ts";

interface Props {
  label: string;
  /** Makes the label visible to screen readers only. */
  hideLabel?: boolean;
  value: string;
  description?: ReactNode;
  error?: string | undefined;
  /** It was just added: it takes the focus, and what is typed replaces what it is called for now. */
  autoFocus?: boolean;
  /** An error text for an invalid input, which is then not committed. */
  validate(text: string): string | null;
  onCommit(text: string): void;
  /** Called when Enter commits a valid text. */
  onEnter?: () => void;
  /** Takes a pasted text of several lines, each of which is a name. */
  onLines?: (lines: string[]) => void;
}

/**
 * A text input that commits on blur or Enter, and when it or the page goes away: for names that other parts of the model refer to,
 * which must not change with every letter.
 */
export function CommitInput(props: Props) {
  const { label, hideLabel = false, value, validate, onCommit, onEnter } = props;
  const [typed, setTyped] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value, by undo or by others, wins over what was typed.
  useEffect(() => setTyped(null), [value]);
  const trimmed = (typed ?? value).trim();
  const problem = typed !== null && trimmed !== value ? validate(trimmed) : null;
  const commit = () => {
    if (problem) return false;
    if (typed !== null && trimmed !== value) onCommit(trimmed);
    setTyped(null);
    return true;
  };
  useBeforeLeaving(commit);
  return (
    <TextInput
      {...noFill}
      {...(hideLabel ? { "aria-label": label } : { label })}
      size={hideLabel ? "xs" : "sm"}
      value={typed ?? value}
      description={props.description}
      error={problem ?? props.error}
      spellCheck={false}
      {...(props.autoFocus && { "data-autofocus": true, ref: selectOnce })}
      onChange={(event) => setTyped(event.currentTarget.value)}
      // A text that is refused stays with its error until it is corrected, or taken back by Escape.
      onBlur={() => {
        if (!commit() && trimmed === "") setTyped(null);
      }}
      onPaste={(event) => {
        const text = event.clipboardData.getData("text");
        const lines = text.split(/[\r\n]+/).map((line) => line.split("\t")[0]?.trim() ?? "");
        const names = [...new Set(lines.filter((line) => line !== ""))];
        if (!props.onLines || names.length < 2) return;
        event.preventDefault();
        setTyped(null);
        props.onLines(names);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && typed !== null) {
          event.stopPropagation();
          setTyped(null);
        }
        if (event.key === "Enter" && commit()) onEnter?.();
      }}
    />
  );
}
