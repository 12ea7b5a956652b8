import { TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useBeforeLeaving } from "../../../ui/use-before-leaving.ts";

interface Props {
  label: string;
  /** Makes the label visible to screen readers only. */
  hideLabel?: boolean;
  value: string;
  description?: ReactNode;
  error?: string | undefined;
  autoFocus?: boolean;
  /** An error text for an invalid input, which is then not committed. */
  validate(text: string): string | null;
  onCommit(text: string): void;
  /** Called when Enter commits a valid text. */
  onEnter?: () => void;
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
      {...(hideLabel ? { "aria-label": label } : { label })}
      size={hideLabel ? "xs" : "sm"}
      value={typed ?? value}
      description={props.description}
      error={problem ?? props.error}
      autoComplete="off"
      spellCheck={false}
      {...(props.autoFocus && { "data-autofocus": true, autoFocus: true })}
      onChange={(event) => setTyped(event.currentTarget.value)}
      // A text that is refused stays with its error until it is corrected, or taken back by Escape.
      onBlur={() => {
        if (!commit() && trimmed === "") setTyped(null);
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
