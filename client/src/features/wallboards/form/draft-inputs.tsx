import { NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { fieldMessages } from "../../../messages/en/fields.ts";
import { settingNumber, ungroupedNumber } from "../../../records/fields/number-text.ts";

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

/** A number in the user's locale. The arrows change it by one; a text that is no number stays, with an error. */
export function DraftNumber({ value, onValue, decimals = 0, min, max, ...rest }: NumberProps) {
  const limits = { decimals, ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  const stored = value === undefined ? "" : ungroupedNumber(value);
  const { typed, type, commit } = useTyped(stored, (text) => {
    const number = settingNumber(text, limits);
    if (number !== null || text.trim() === "") onValue(number ?? undefined);
  });
  const shown = typed ?? stored;
  const number = settingNumber(shown, limits);
  const isReadable = number !== null || shown.trim() === "";
  const step = (by: number) => {
    const next = ((number ?? 0) + by).toFixed(decimals);
    type(ungroupedNumber(settingNumber(ungroupedNumber(next), limits) ?? next));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined || !isReadable) return;
    event.preventDefault();
    step(by);
  };
  return (
    <TextInput
      {...rest}
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      error={isReadable ? undefined : fieldMessages.enterNumber()}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => isReadable && commit()}
    />
  );
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
