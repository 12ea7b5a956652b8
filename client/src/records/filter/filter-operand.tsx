import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { describeSpan } from "../../../../shared/filter/describe-operand.ts";
import type { Json } from "../../../../shared/filter/filter.ts";
import { readOperand } from "../../../../shared/filter/operand.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { explanationText } from "../../messages/error-text.ts";
import { noFill } from "../../ui/no-fill.ts";
import type { FilterOperator } from "./filter-rows.ts";
import { FilterValue } from "./filter-value.tsx";
import {
  comparableFields,
  initialValue,
  isTimeField,
  type OfferedOperands,
  type OperandKind,
  operandKindOf,
  operandKindsFor,
  operandLabels,
} from "./operand-kinds.ts";

interface Props {
  field: Field;
  operator: FilterOperator;
  value: Json;
  fields: readonly Field[];
  /** Offers more than plain values. An operand of the present filter is always shown. */
  operands: OfferedOperands;
  onValue(value: Json): void;
}

const spans = ["1h", "4h", "1d", "7d", "30d", "365d", "-1d", "-7d"];

/** The operand of a condition: a value, another field, the current user, or a time. */
export function FilterOperand(props: Props) {
  const { field, operator, value, fields, operands, onValue } = props;
  const operandKind = operator === "within" ? "value" : operandKindOf(value);
  const offered = operandKindsFor(field, operator, fields);
  const choices = offered.includes(operandKind) ? offered : [...offered, operandKind];
  const isOffered = operands === "times" ? isTimeField(field) : operands;
  const showsKind = (isOffered && choices.length > 1) || operandKind !== "value";
  return (
    <Stack gap={6} miw={0}>
      {showsKind && (
        <NativeSelect
          size="xs"
          aria-label={messages.comparedWith()}
          value={operandKind}
          data={choices.map((one) => ({ value: one, label: operandLabels[one]() }))}
          onChange={(event) =>
            onValue(initialValue(event.currentTarget.value as OperandKind, field, fields))
          }
        />
      )}
      <Right {...props} operandKind={operandKind} />
    </Stack>
  );
}

function Right({ operandKind, ...props }: Props & { operandKind: OperandKind }) {
  const { field, value, fields, onValue } = props;
  switch (operandKind) {
    case "value":
      return <FilterValue {...props} />;
    case "field":
      return (
        <NativeSelect
          size="xs"
          aria-label={messages.otherField()}
          value={(value as { field: string }).field}
          data={comparableFields(field, fields).map(({ name, label }) => ({ value: name, label }))}
          onChange={(event) => onValue({ field: event.currentTarget.value })}
        />
      );
    case "attribute":
      return <Attribute value={String(value)} onValue={onValue} />;
    case "ago":
      return <Span value={value as { ago: string }} onValue={onValue} />;
    default:
      return null;
  }
}

function Attribute({ value, onValue }: { value: string; onValue(value: Json): void }) {
  return (
    <TextInput
      {...noFill}
      size="xs"
      aria-label={messages.attribute()}
      defaultValue={value.slice("$me.".length)}
      onChange={(event) => {
        const name = event.currentTarget.value.trim();
        if (name) onValue(`$me.${name}`);
      }}
    />
  );
}

function Span({ value, onValue }: { value: { ago: string }; onValue(value: Json): void }) {
  const spanLabel = (ago: string) => {
    const operand = readOperand({ ago });
    return operand.type === "ago" ? explanationText(describeSpan(operand.seconds)) : ago;
  };
  const present = readOperand(value).type === "ago" ? [value.ago] : [];
  return (
    <NativeSelect
      size="xs"
      aria-label={messages.timeSpan()}
      value={value.ago}
      data={[...new Set([...spans, ...present])].map((ago) => ({
        value: ago,
        label: spanLabel(ago),
      }))}
      onChange={(event) => onValue({ ago: event.currentTarget.value })}
    />
  );
}
