import { ActionIcon, NativeSelect, Stack } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { Hint } from "../../ui/texts.ts";
import { useGiveFocus } from "../../ui/use-give-focus.ts";
import classes from "./filter-builder.module.css";
import { FilterOperand } from "./filter-operand.tsx";
import {
  type FilterOperator,
  type FilterRow,
  needsValue,
  operatorLabel,
  operatorsFor,
} from "./filter-rows.ts";
import type { OfferedOperands } from "./operand-kinds.ts";

interface Props {
  row: FilterRow;
  fields: readonly Field[];
  operands: OfferedOperands;
  onChange(row: FilterRow): void;
  onRemove(): void;
}

/** A condition of the filter. Changing field or operator keeps the value only if it still fits. */
export function FilterRowEditor(props: Props) {
  const { row, fields, onChange } = props;
  const giveFocus = useGiveFocus();
  const field = fields.find((one) => one.name === row.field);
  const changeField = (name: string) => {
    const next = fields.find((one) => one.name === name);
    const operator = next && operatorsFor(next)[0];
    if (next && operator) onChange({ ...row, field: name, operator, value: null });
  };
  const names = fields.map(({ name, label }) => ({ value: name, label }));
  const missingOption = { value: row.field, label: messages.missingField({ field: row.field }) };
  return (
    <div ref={giveFocus} className={classes.row}>
      <NativeSelect
        size="xs"
        aria-label={messages.field()}
        value={row.field}
        error={!field}
        data={field ? names : [missingOption, ...names]}
        onChange={(event) => changeField(event.currentTarget.value)}
      />
      {field ? <ConditionInputs {...props} field={field} /> : <MissingField />}
      <ActionIcon size="sm" aria-label={messages.removeCondition()} onClick={props.onRemove}>
        <IconX size={15} />
      </ActionIcon>
    </div>
  );
}

function MissingField() {
  return (
    <>
      <Hint span fz="xs">
        {messages.fieldNotFound()}
      </Hint>
      <span />
    </>
  );
}

function ConditionInputs({ row, field, fields, operands, onChange }: Props & { field: Field }) {
  const offered = operatorsFor(field);
  const operators = offered.includes(row.operator) ? offered : [...offered, row.operator];
  const changeOperator = (operator: FilterOperator) => {
    const fits = valueShape(operator) === valueShape(row.operator);
    onChange({ ...row, operator, value: fits ? row.value : (null as Json) });
  };
  const operand = { field, operator: row.operator, fields, operands };
  const pair = Array.isArray(row.value) ? row.value : [];
  const [low = null, high = null] = pair;
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={messages.condition()}
        value={row.operator}
        data={operators.map((operator) => ({
          value: operator,
          label: operatorLabel(operator, field.type),
        }))}
        onChange={(event) => changeOperator(event.currentTarget.value as FilterOperator)}
      />
      {row.operator === "between" ? (
        <Stack gap={6} miw={0} key={row.field}>
          <FilterOperand
            {...operand}
            value={low}
            onValue={(value) => onChange({ ...row, value: [value, high] })}
          />
          <Hint span fz="xs">
            {messages.and()}
          </Hint>
          <FilterOperand
            {...operand}
            value={high}
            onValue={(value) => onChange({ ...row, value: [low, value] })}
          />
        </Stack>
      ) : needsValue(row.operator) ? (
        <FilterOperand
          {...operand}
          key={`${row.field} ${row.operator}`}
          value={row.value}
          onValue={(value) => onChange({ ...row, value })}
        />
      ) : (
        <span />
      )}
    </>
  );
}

/** Operators of the same shape can take over the value. */
function valueShape(operator: FilterOperator): "list" | "pair" | "span" | "one" {
  if (operator === "in" || operator === "nin") return "list";
  if (operator === "between") return "pair";
  return operator === "within" ? "span" : "one";
}
