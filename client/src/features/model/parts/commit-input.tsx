import { TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";

interface Props {
  label: string;
  /** Where the label would be noise: it is read out, not seen. */
  hideLabel?: boolean;
  value: string;
  description?: ReactNode;
  error?: string | undefined;
  autoFocus?: boolean;
  /** A sentence where a text can't be taken; then what was there stays. */
  validate(text: string): string | null;
  onCommit(text: string): void;
  /** Enter was pressed on a text that was taken. */
  onEnter?: () => void;
}

/**
 * A text that counts when one leaves it or presses Enter: for names that other parts of the model
 * speak of, which must not pass through every half-typed word.
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
    if (trimmed !== value) onCommit(trimmed);
    setTyped(null);
    return true;
  };
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
      onBlur={() => {
        if (!commit()) setTyped(null);
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
