import { MultiSelect, NativeSelect } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { FieldInput } from "../fields/field-input.tsx";
import type { LookUp } from "../fields/look-up.ts";
import type { FilterOperator } from "./filter-rows.ts";

interface Props {
  field: Field;
  operator: FilterOperator;
  value: Json;
  lookUp: LookUp;
  onValue(value: Json): void;
}

/** A text is looked for when the typing pauses this long, or when one goes on to something else. */
const VALUE_DELAY_MS = 300;

const spans = [
  { value: "", label: "…" },
  { value: "1h", label: "hour" },
  { value: "4h", label: "4 hours" },
  { value: "1d", label: "day" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
  { value: "365d", label: "year" },
];

/** The value that a condition compares with, asked for by the type of its field. */
export function FilterValue({ field, operator, value, lookUp, onValue }: Props) {
  const pending = useRef<{ value: Json; timer: ReturnType<typeof setTimeout> }>(undefined);
  useEffect(() => () => clearTimeout(pending.current?.timer), []);
  const commit = () => {
    const { current } = pending;
    if (!current) return;
    clearTimeout(current.timer);
    pending.current = undefined;
    onValue(current.value);
  };
  if (operator === "in" || operator === "nin") {
    return (
      <MultiSelect
        size="xs"
        aria-label="Values"
        data={(field.options ?? []).map(({ value: one, label }) => ({
          value: one,
          label: label ?? one,
        }))}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={onValue}
        placeholder={Array.isArray(value) && value.length > 0 ? "" : "Choose"}
        comboboxProps={{ withinPortal: false }}
      />
    );
  }
  if (operator === "within") {
    return (
      <NativeSelect
        size="xs"
        aria-label="Time span"
        data={spans}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => onValue(event.currentTarget.value || null)}
      />
    );
  }
  return (
    <FieldInput
      field={{ ...field, type: inputType(field), required: false }}
      value={value}
      look="form"
      label={`Value for ${field.label}`}
      lookUp={lookUp}
      onDraft={(draft) => {
        clearTimeout(pending.current?.timer);
        pending.current = draft.ok
          ? { value: draft.value, timer: setTimeout(commit, VALUE_DELAY_MS) }
          : undefined;
      }}
      onDone={commit}
      onBlur={commit}
    />
  );
}

/** Part of an address or of a long text is still plain text; of several options one is asked for. */
function inputType(field: Field): Field["type"] {
  if (field.type === "multiSelect") return "select";
  const parts: Field["type"][] = ["email", "url", "phone", "longText"];
  return parts.includes(field.type) ? "text" : field.type;
}
