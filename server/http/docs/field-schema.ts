import type { ValueKind } from "../../../shared/filter/filter.ts";
import type { FieldType } from "../../../shared/model/field-types.ts";
import { kindOfType, traitsOf } from "../../../shared/model/field-types.ts";
import type { Field } from "../../../shared/model/model.ts";
import { isReadOnly } from "../../../shared/model/recorded.ts";
import type { Part } from "./schema-book.ts";

const ofKind: Readonly<Record<ValueKind, Part>> = {
  text: { type: ["string", "null"] },
  // Exact: a number with more digits than a double holds is a string.
  integer: { type: ["integer", "string", "null"] },
  decimal: { type: ["string", "null"], format: "decimal" },
  boolean: { type: ["boolean", "null"] },
  date: { type: ["string", "null"], format: "date" },
  timestamp: { type: ["string", "null"], format: "date-time" },
  list: { type: ["array", "null"] },
  json: {},
};

/** The names that JSON Schema has for a shape of texts. */
const formats: Partial<Record<FieldType, string>> = { email: "email", url: "uri" };

function schemaOf(field: Field): Part {
  const { type } = field;
  const { names, maxLength } = traitsOf(type);
  const format = formats[type];
  const shape = { ...ofKind[kindOfType[type]], ...(maxLength !== undefined && { maxLength }) };
  if (names !== "option") return format === undefined ? shape : { ...shape, format };
  const values = (field.options ?? []).map(({ value }) => value);
  return kindOfType[type] === "list"
    ? { ...shape, items: { type: "string", enum: values } }
    : { ...shape, enum: [...values, null] };
}

const meaning: Partial<Record<FieldType, (field: Field) => string>> = {
  link: ({ target }) =>
    target === undefined ? "The id of a record." : `The id of a record in \`${target}\`.`,
  person: () => "The id of a user.",
  duration: () => "Seconds.",
  money: ({ currency }) => (currency ? `An amount in ${currency}.` : "An amount."),
};

/** The JSON Schema of a field's values as they are read. Any field may be empty, which is `null`. */
export function fieldSchema(field: Field): Part {
  const { type, label, help, expression } = field;
  const origin = expression === undefined ? "Recorded by Watchfloor." : "Computed.";
  const sentences = [
    label.endsWith(".") ? label : `${label}.`,
    help,
    meaning[type]?.(field),
    isReadOnly(field) ? origin : undefined,
  ];
  return {
    ...schemaOf(field),
    description: sentences.filter(Boolean).join(" "),
    ...(isReadOnly(field) && { readOnly: true }),
  };
}

/** The same for values that a caller writes: a decimal may be a number too. */
export function writtenFieldSchema(field: Field): Part {
  const schema = fieldSchema(field);
  return schema.format === "decimal" ? { ...schema, type: ["string", "number", "null"] } : schema;
}
