import { NativeSelect, NumberInput, Switch, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { localMark } from "../../../records/fields/number-text.ts";

/**
 * Inputs of the designer's forms. Typed text is saved on blur or Enter, so that it can be undone as one step, and when the
 * input or the page goes away. It is an edit of the value at which its author began: what another user stored since is a
 * conflict. Their changes appear until something is typed.
 */

interface TextProps {
  label: string;
  value: string;
  onValue(value: string): void;
  description?: string;
  placeholder?: string;
  maxLength?: number;
  lines?: number;
}

/** A text input; `lines` makes it a text area. */
export function DraftText({ value, onValue, lines, ...rest }: TextProps) {
  const { typed, type, commit } = useTyped(value, onValue);
  const input = {
    ...rest,
    size: "xs",
    value: typed ?? value,
    onBlur: commit,
  } as const;
  if (lines !== undefined) {
    return (
      <Textarea {...input} rows={lines} onChange={(event) => type(event.currentTarget.value)} />
    );
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") event.currentTarget.blur();
  };
  return (
    <TextInput
      {...input}
      autoComplete="off"
      onKeyDown={onKeyDown}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** What is typed, until it is committed, and the value at which its author began. */
function useTyped<T>(value: T, onValue: (value: T) => void) {
  const [typed, setTyped] = useState<T | null>(null);
  const edit = useRef<{ base: T; typed: T; onValue(value: T): void }>(null);
  const type = (next: T) => {
    edit.current = { base: value, onValue, ...edit.current, typed: next };
    setTyped(next);
  };
  const commit = useCallback(() => {
    const { current } = edit;
    edit.current = null;
    setTyped(null);
    if (current && current.typed !== current.base) current.onValue(current.typed);
  }, []);
  useEffect(() => {
    addEventListener("pagehide", commit);
    return () => {
      removeEventListener("pagehide", commit);
      commit();
    };
  }, [commit]);
  return { typed, type, commit };
}

interface NumberProps {
  label: string;
  value: number | undefined;
  /** Undefined if the input is empty. */
  onValue(value: number | undefined): void;
  min?: number;
  max?: number;
  decimals?: number;
  placeholder?: string;
}

export function DraftNumber({ value, onValue, decimals = 0, ...rest }: NumberProps) {
  const { typed, type, commit } = useTyped<number | string>(value ?? "", (input) => {
    const number = Number.parseFloat(String(input));
    onValue(Number.isNaN(number) ? undefined : clamp(number, rest));
  });
  return (
    <NumberInput
      {...rest}
      size="xs"
      value={typed ?? value ?? ""}
      decimalScale={decimals}
      allowedDecimalSeparators={[".", localMark()]}
      clampBehavior="blur"
      onChange={type}
      onBlur={commit}
    />
  );
}

function clamp(value: number, { min, max }: { min?: number; max?: number }): number {
  return Math.max(min ?? value, Math.min(max ?? value, value));
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onValue(value: T): void;
  description?: string;
}

/** A select; an empty value means not set. */
export function Choice<T extends string>({ choices, onValue, ...rest }: ChoiceProps<T>) {
  return (
    <NativeSelect
      {...rest}
      size="xs"
      data={choices.map(([value, label]) => ({ value, label }))}
      onChange={(event) => onValue(event.currentTarget.value as T)}
    />
  );
}

interface ToggleProps {
  label: string;
  checked: boolean;
  onChecked(checked: boolean): void;
}

/** A switch. */
export function Toggle({ label, checked, onChecked }: ToggleProps) {
  return (
    <Switch
      size="xs"
      label={label}
      checked={checked}
      onChange={(event) => onChecked(event.currentTarget.checked)}
    />
  );
}
