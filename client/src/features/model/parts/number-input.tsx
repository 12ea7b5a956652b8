import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { modelMessages as messages } from "../../../messages/en/model.ts";

interface Props {
  label: string;
  value: number | undefined;
  placeholder?: string;
  description?: string;
  error?: string | undefined;
  onValue(value: number | undefined): void;
}

/** An optional number. Shows an error for other input. */
export function NumberInput({ label, value, onValue, error, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value, by undo or by others, wins over what was typed.
  useEffect(() => setTyped(null), [value]);
  const shown = typed ?? (value === undefined ? "" : String(value));
  const isNumber = shown.trim() === "" || Number.isFinite(Number(shown));
  return (
    <TextInput
      {...rest}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      error={isNumber ? error : messages.enterNumber()}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        const number = Number(text);
        if (text.trim() === "") onValue(undefined);
        else if (Number.isFinite(number) && !/[.\-e]$/i.test(text)) onValue(number);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
