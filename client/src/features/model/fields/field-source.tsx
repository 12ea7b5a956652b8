import { NativeSelect } from "@mantine/core";
import { canBeComputed } from "../../../../../shared/model/expression/check-expression.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { derivationSources } from "./derivation.ts";
import { FieldDefault } from "./field-default.tsx";
import { FieldDerivation } from "./field-derivation.tsx";
import { FieldExpression } from "./field-expression.tsx";
import { FieldNumbering } from "./field-numbering.tsx";

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
    ...(type === "text" ? (["number"] as const) : []),
    ...(canBeComputed(type) ? (["others"] as const) : []),
  ];
}

/** Constraints on input, which don't apply to computed fields. */
const noConstraints = {
  required: undefined,
  unique: undefined,
  immutable: undefined,
  default: undefined,
  derive: undefined,
  minimum: undefined,
  maximum: undefined,
  pattern: undefined,
  patternHint: undefined,
};

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
      return { ...noConstraints, automatic: undefined, expression: "" };
  }
}
