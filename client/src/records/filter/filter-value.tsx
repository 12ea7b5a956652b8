import { MultiSelect, NativeSelect } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { isFreeText, kindOfType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { FieldInput } from "../fields/field-input.tsx";
import type { FilterOperator } from "./filter-rows.ts";

interface Props {
  field: Field;
  operator: FilterOperator;
  value: Json;
  onValue(value: Json): void;
}

/** A typed value is applied after this pause, on blur, or by Escape. */
const VALUE_DELAY_MS = 300;

const spans = () => [
  { value: "", label: "…" },
  { value: "1h", label: messages.hours({ count: 1 }) },
  { value: "4h", label: messages.hours({ count: 4 }) },
  { value: "1d", label: messages.days({ count: 1 }) },
  { value: "7d", label: messages.days({ count: 7 }) },
  { value: "30d", label: messages.days({ count: 30 }) },
  { value: "365d", label: messages.year() },
];

/** The input for the value of a condition, by the type of its field. */
export function FilterValue({ field, operator, value, onValue }: Props) {
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
        aria-label={messages.values()}
        data={(field.options ?? []).map(({ value: one, label }) => ({
          value: one,
          label: label ?? one,
        }))}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={onValue}
        placeholder={Array.isArray(value) && value.length > 0 ? "" : messages.choose()}
        comboboxProps={{ withinPortal: false }}
      />
    );
  }
  if (operator === "within") {
    return (
      <NativeSelect
        size="xs"
        aria-label={messages.timeSpan()}
        data={spans()}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => onValue(event.currentTarget.value || null)}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape may close what the input is in, before the pause is over.
    <span style={{ display: "contents" }} onKeyDown={({ key }) => key === "Escape" && commit()}>
      <FieldInput
        field={{ ...field, type: inputType(field), required: false }}
        value={value}
        look="form"
        label={messages.valueFor({ field: field.label })}
        onDraft={(draft) => {
          clearTimeout(pending.current?.timer);
          pending.current = draft.ok
            ? { value: draft.value, timer: setTimeout(commit, VALUE_DELAY_MS) }
            : undefined;
        }}
        onDone={commit}
        onBlur={commit}
      />
    </span>
  );
}

/** Conditions on addresses and long texts compare with plain text; those on several options with one option. */
function inputType(field: Field): Field["type"] {
  if (kindOfType[field.type] === "list") return "select";
  return isFreeText(field.type) ? "text" : field.type;
}
