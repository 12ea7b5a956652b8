import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { plainNumber, ungroupedNumber } from "../../../records/fields/number-text.ts";

interface Props {
  label: string;
  value: number | undefined;
  placeholder?: string;
  description?: string;
  error?: string | undefined;
  onValue(value: number | undefined): void;
}

/** An optional number in the user's locale. Other text stays, with an error. */
export function NumberInput({ label, value, onValue, error, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  // Another value, by undo or by others, wins over what was typed, but not over "-0" on the way to "-0.5".
  useEffect(() => setTyped((text) => (readNumber(text ?? "") === value ? text : null)), [value]);
  const shown = typed ?? (value === undefined ? "" : ungroupedNumber(value));
  const isNumber = shown.trim() === "" || readNumber(shown) !== undefined;
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
        const number = readNumber(text);
        if (text.trim() === "") onValue(undefined);
        else if (number !== undefined && !/[.,]$/.test(text)) onValue(number);
      }}
      onBlur={() => isNumber && setTyped(null)}
    />
  );
}

function readNumber(text: string): number | undefined {
  const plain = plainNumber(text);
  return plain === null ? undefined : Number(plain);
}
