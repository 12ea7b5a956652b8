import { NativeSelect } from "@mantine/core";
import { canBeWorkedOut } from "../../../../../shared/model/expression/check-expression.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { useTableDesk } from "../draft/use-table-desk.ts";
import { readableBy } from "./derivation.ts";
import { FieldDefault } from "./field-default.tsx";
import { FieldDerivation } from "./field-derivation.tsx";
import { FieldExpression } from "./field-expression.tsx";
import { FieldNumbering } from "./field-numbering.tsx";

interface Props {
  field: Field;
  index: number;
}

type Source = "people" | "choices" | "number" | "others";

const words: Record<Source, string> = {
  people: "People, beginning with a default or nothing",
  choices: "People, or else by other choices: a value for each",
  number: "A number of its own, counted up",
  others: "Other fields: it is worked out from them",
};

/** Where the field's value comes from, and what belongs to that. */
export function FieldSource({ field, index }: Props) {
  const { patchField, table } = useTableDesk();
  const source = sourceOf(field);
  const offered = sourcesFor(field, table);
  return (
    <>
      {offered.length > 1 && (
        <NativeSelect
          label="Filled by"
          value={source}
          data={offered.map((one) => ({ value: one, label: words[one] }))}
          onChange={(event) => patchField(field, beginning(event.currentTarget.value as Source))}
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
  const mayFollow = name !== table.stateField && readableBy(field, table).length > 0;
  return [
    "people",
    ...(derive || (mayFollow && type !== "json") ? (["choices"] as const) : []),
    ...(type === "text" ? (["number"] as const) : []),
    ...(canBeWorkedOut(type) ? (["others"] as const) : []),
  ];
}

/** What asks something of those who fill a field means nothing where nobody does. */
const asksNothing = {
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

function beginning(source: Source) {
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
      return { ...asksNothing, automatic: undefined, expression: "" };
  }
}
