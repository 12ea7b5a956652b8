import { useLayoutEffect, useRef, useState } from "react";
import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { FieldInput } from "../../../records/fields/field-input.tsx";

interface Props {
  id?: string;
  label?: string;
  field: Field;
  value: Json;
  onValue(value: Json): void;
}

/**
 * An input for a value of a field in the draft of the model, which is written with each key. Another value, by undo, by others or
 * because an option is called otherwise now, wins over what was typed.
 */
export function ValueInput({ field, value, onValue, ...names }: Props) {
  const written = useRef(value);
  const [round, setRound] = useState(0);
  // Before the next key, whose value is not another one.
  useLayoutEffect(() => {
    if (deepEqual(value, written.current)) return;
    written.current = value;
    setRound((was) => was + 1);
  }, [value]);
  return (
    <FieldInput
      {...names}
      field={{ ...field, required: false }}
      value={value}
      round={round}
      look="form"
      onDraft={(draft) => {
        if (!draft.ok) return;
        written.current = draft.value;
        onValue(draft.value);
      }}
      onDone={() => undefined}
    />
  );
}
