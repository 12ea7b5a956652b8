import { NativeSelect } from "@mantine/core";
import { useEffect, useMemo, useRef } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { isFreeText, kindOfType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { useLatest } from "../../ui/use-latest.ts";
import { FieldEdit } from "../fields/field-edit.ts";
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
  const isSeveral = operator === "in" || operator === "nin";
  return <TypedValue field={field} isSeveral={isSeveral} value={value} onValue={onValue} />;
}

/** A typed value is an edit of no record: it is applied once the user pauses or leaves. */
function TypedValue({
  field,
  isSeveral,
  value,
  onValue,
}: Omit<Props, "operator"> & { isSeveral: boolean }) {
  // The same object as long as the field is: its list is read anew for another one.
  const inputField = useMemo(
    (): Field => ({
      ...field,
      type: isSeveral ? "multiSelect" : inputType(field),
      required: false,
    }),
    [field, isSeveral],
  );
  const edit = useRef<FieldEdit | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // By then, other conditions may have changed.
  const latest = useLatest(onValue);
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = () => {
    clearTimeout(timer.current);
    if (edit.current?.endWith((typed) => latest.current(typed))) edit.current = null;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape may close what the input is in, before the pause is over.
    <span style={{ display: "contents" }} onKeyDown={({ key }) => key === "Escape" && commit()}>
      <FieldInput
        field={inputField}
        value={value}
        look="form"
        label={isSeveral ? messages.values() : messages.valueFor({ field: field.label })}
        onDraft={(parsed, text) => {
          edit.current ??= new FieldEdit({ base: value });
          edit.current.type(parsed, text);
          clearTimeout(timer.current);
          timer.current = setTimeout(commit, VALUE_DELAY_MS);
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
