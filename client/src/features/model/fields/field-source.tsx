import { NativeSelect, TextInput } from "@mantine/core";
import { hasProperty } from "../../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { inputConstraints } from "../labels/field-choices.ts";
import { NumberInput } from "../parts/number-input.tsx";
import { derivationSources } from "./derivation.ts";
import { FieldDefault } from "./field-default.tsx";
import { FieldDerivation } from "./field-derivation.tsx";
import { FieldExpression } from "./field-expression.tsx";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

type Source = "people" | "choices" | "number" | "others";

const sourceLabels: Record<Source, () => string> = {
  people: messages.sourceUsers,
  choices: messages.sourceChoices,
  number: messages.sourceNumber,
  others: messages.sourceExpression,
};

/** The source of the field's value, and its settings. */
export function FieldSource({ field, index }: Props) {
  const { patchField, table } = useTableEditor();
  const source = sourceOf(field);
  const sources = sourcesFor(field, table);
  return (
    <>
      {sources.length > 1 && (
        <NativeSelect
          label={messages.source()}
          value={source}
          data={sources.map((one) => ({ value: one, label: sourceLabels[one]() }))}
          onChange={(event) =>
            patchField(field, initialSettings(event.currentTarget.value as Source))
          }
        />
      )}
      {source === "people" && <FieldDefault field={field} index={index} />}
      {source === "choices" && <FieldDerivation field={field} index={index} />}
      {source === "number" && <FieldNumbering field={field} index={index} />}
      {source === "others" && <FieldExpression field={field} index={index} />}
    </>
  );
}

function sourceOf({ automatic, expression, derive }: Field): Source {
  if (expression !== undefined) return "others";
  if (derive) return "choices";
  return automatic ? "number" : "people";
}

function sourcesFor(field: Field, table: Table): Source[] {
  const { type, name, derive } = field;
  const canDerive = name !== table.stateField && derivationSources(field, table).length > 0;
  return [
    "people",
    ...(derive || (canDerive && type !== "json") ? (["choices"] as const) : []),
    ...(hasProperty(type, "automatic") ? (["number"] as const) : []),
    ...(hasProperty(type, "expression") ? (["others"] as const) : []),
  ];
}

function initialSettings(source: Source) {
  const automatic = { prefix: "", digits: 5, start: 1 };
  switch (source) {
    case "people":
      return { automatic: undefined, expression: undefined, derive: undefined };
    case "choices":
      return {
        automatic: undefined,
        expression: undefined,
        default: undefined,
        derive: { fields: [], values: {} },
      };
    case "number":
      return { automatic, expression: undefined, default: undefined, derive: undefined };
    case "others":
      return { ...inputConstraints, expression: "" };
  }
}

interface FieldNumberingProps {
  field: Field;
  index: number;
}

/** Automatic numbers: prefix, number of digits, first number. */
function FieldNumbering({ field, index }: FieldNumberingProps) {
  const { patchField, problem } = useTableEditor();
  const automatic = field.automatic ?? { prefix: "", digits: 5, start: 1 };
  const write = (part: Partial<typeof automatic>) =>
    patchField(field, { automatic: { ...automatic, ...part } }, "automatic");
  const first = automatic.prefix + String(automatic.start).padStart(automatic.digits, "0");
  return (
    <div className={classes.triple}>
      <TextInput
        label={messages.numberPrefix()}
        description={messages.firstNumber({ number: first })}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={automatic.prefix}
        error={problem("fields", index, "automatic", "prefix")}
        onChange={(event) => write({ prefix: event.currentTarget.value })}
      />
      <NumberInput
        label={messages.digits()}
        value={automatic.digits}
        error={problem("fields", index, "automatic", "digits")}
        onValue={(digits) => write({ digits: digits ?? 1 })}
      />
      <NumberInput
        label={messages.countsFrom()}
        value={automatic.start}
        error={problem("fields", index, "automatic", "start")}
        onValue={(start) => write({ start: start ?? 0 })}
      />
    </div>
  );
}
