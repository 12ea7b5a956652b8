import { NativeSelect, NumberInput, Switch, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

/**
 * Inputs of the designer's forms. Typed text is saved on blur or Enter, so that it can be undone as one step. Changes by
 * other users appear unless the user is typing.
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
  const { text, setText, isTyping, commit } = useTyped(value, onValue);
  const input = {
    ...rest,
    size: "xs",
    value: text,
    onFocus: () => {
      isTyping.current = true;
    },
    onBlur: commit,
  } as const;
  if (lines !== undefined) {
    return (
      <Textarea {...input} rows={lines} onChange={(event) => setText(event.currentTarget.value)} />
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
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

function useTyped(value: string, onValue: (value: string) => void) {
  const [text, setText] = useState(value);
  const isTyping = useRef(false);
  useEffect(() => {
    if (!isTyping.current) setText(value);
  }, [value]);
  const commit = () => {
    isTyping.current = false;
    if (text !== value) onValue(text);
  };
  return { text, setText, isTyping, commit };
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
  const [typed, setTyped] = useState<number | string>(value ?? "");
  const isTyping = useRef(false);
  useEffect(() => {
    if (!isTyping.current) setTyped(value ?? "");
  }, [value]);
  return (
    <NumberInput
      {...rest}
      size="xs"
      value={typed}
      decimalScale={decimals}
      clampBehavior="blur"
      onFocus={() => {
        isTyping.current = true;
      }}
      onChange={setTyped}
      onBlur={() => {
        isTyping.current = false;
        const next = typeof typed === "number" ? clamp(typed, rest) : undefined;
        if (next !== value) onValue(next);
      }}
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
