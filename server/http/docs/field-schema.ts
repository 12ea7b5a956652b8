import type { Field, FieldType } from "../../../shared/model/model.ts";
import {
  LONG_TEXT_MAX_LENGTH,
  SHORT_TEXT_MAX_LENGTH,
} from "../../../shared/model/normalize-value.ts";
import { isReadOnly } from "../../../shared/model/recorded.ts";
import type { Part } from "./schema-book.ts";

const text = { type: ["string", "null"], maxLength: SHORT_TEXT_MAX_LENGTH };
/** Exact: a number with more digits than a double holds is a string. */
const integer = { type: ["integer", "string", "null"] };
const decimal = { type: ["string", "null"], format: "decimal" };

const ofType: Record<FieldType, (field: Field) => Part> = {
  text: () => text,
  longText: () => ({ ...text, maxLength: LONG_TEXT_MAX_LENGTH }),
  email: () => ({ ...text, format: "email" }),
  url: () => ({ ...text, format: "uri" }),
  phone: () => text,
  person: () => text,
  link: () => text,
  integer: () => integer,
  duration: () => integer,
  decimal: () => decimal,
  money: () => decimal,
  percent: () => decimal,
  boolean: () => ({ type: ["boolean", "null"] }),
  date: () => ({ type: ["string", "null"], format: "date" }),
  timestamp: () => ({ type: ["string", "null"], format: "date-time" }),
  select: (field) => ({ type: ["string", "null"], enum: [...optionsOf(field), null] }),
  multiSelect: (field) => ({
    type: ["array", "null"],
    items: { type: "string", enum: optionsOf(field) },
  }),
  json: () => ({}),
};

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
    ...ofType[type](field),
    description: sentences.filter(Boolean).join(" "),
    ...(isReadOnly(field) && { readOnly: true }),
  };
}

/** The same for values that a caller writes: a decimal may be a number too. */
export function writtenFieldSchema(field: Field): Part {
  const schema = fieldSchema(field);
  return schema.format === "decimal" ? { ...schema, type: ["string", "number", "null"] } : schema;
}

function optionsOf({ options = [] }: Field): string[] {
  return options.map(({ value }) => value);
}
