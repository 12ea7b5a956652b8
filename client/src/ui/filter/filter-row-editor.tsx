import { ActionIcon, NativeSelect } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import type { LookUp } from "../fields/look-up.ts";
import classes from "./filter-builder.module.css";
import { FilterOperand } from "./filter-operand.tsx";
import {
  type FilterRow,
  needsValue,
  type Question,
  questionsFor,
  wordingOf,
} from "./filter-rows.ts";

interface Props {
  row: FilterRow;
  fields: readonly Field[];
  lookUp: LookUp;
  operands: boolean;
  onChange(row: FilterRow): void;
  onRemove(): void;
}

/** One condition of the filter. Another field or question keeps the value only where it still fits. */
export function FilterRowEditor(props: Props) {
  const { row, fields, onChange } = props;
  const field = fields.find((one) => one.name === row.field);
  const take = (name: string) => {
    const next = fields.find((one) => one.name === name);
    const question = next && questionsFor(next)[0];
    if (next && question) onChange({ ...row, field: name, question, value: null });
  };
  const names = fields.map(({ name, label }) => ({ value: name, label }));
  const gone = { value: row.field, label: `${row.field} (not there)` };
  return (
    <div className={classes.row}>
      <NativeSelect
        size="xs"
        aria-label="Field"
        value={row.field}
        error={!field}
        data={field ? names : [gone, ...names]}
        onChange={(event) => take(event.currentTarget.value)}
      />
      {field ? <Asked {...props} field={field} /> : <Gone />}
      <ActionIcon size="sm" aria-label="Remove this condition" onClick={props.onRemove}>
        <IconX size={15} />
      </ActionIcon>
    </div>
  );
}

function Gone() {
  return (
    <>
      <span className={classes.hint}>There is no such field any more.</span>
      <span />
    </>
  );
}

function Asked({ row, field, fields, lookUp, operands, onChange }: Props & { field: Field }) {
  const offered = questionsFor(field);
  const questions = offered.includes(row.question) ? offered : [...offered, row.question];
  const ask = (question: Question) => {
    const fits = formOf(question) === formOf(row.question);
    onChange({ ...row, question, value: fits ? row.value : (null as Json) });
  };
  const operand = { field, question: row.question, fields, lookUp, operands };
  const pair = Array.isArray(row.value) ? row.value : [];
  const [low = null, high = null] = pair;
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Condition"
        value={row.question}
        data={questions.map((question) => ({
          value: question,
          label: wordingOf(question, field.type),
        }))}
        onChange={(event) => ask(event.currentTarget.value as Question)}
      />
      {row.question === "between" ? (
        <div className={classes.pair} key={row.field}>
          <FilterOperand
            {...operand}
            value={low}
            onValue={(value) => onChange({ ...row, value: [value, high] })}
          />
          <span className={classes.hint}>and</span>
          <FilterOperand
            {...operand}
            value={high}
            onValue={(value) => onChange({ ...row, value: [low, value] })}
          />
        </div>
      ) : needsValue(row.question) ? (
        <FilterOperand
          {...operand}
          key={`${row.field} ${row.question}`}
          value={row.value}
          onValue={(value) => onChange({ ...row, value })}
        />
      ) : (
        <span />
      )}
    </>
  );
}

/** Questions of one form take each other's values. */
function formOf(question: Question): "list" | "pair" | "span" | "one" {
  if (question === "in" || question === "nin") return "list";
  if (question === "between") return "pair";
  return question === "within" ? "span" : "one";
}
