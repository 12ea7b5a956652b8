import type { ValueKind } from "../filter/filter.ts";

/**
 * What the types of fields are: one description each. A type is what users choose. Its *kind* is how its values are stored,
 * compared, filtered and sent, and there are few kinds. What follows from the kind is written once for the kind, in each place where
 * values pass: columns and SQL (server/store/columns.ts), the check of a value (normalize-value.ts), cells of files
 * (server/import/cell-text.ts), the document of REST (server/http/docs/field-schema.ts), how values are shown and typed
 * (client/src/records/fields). There, a type has an entry of its own only where it differs from its kind. docs/FIELD-TYPES.md says how to
 * add one.
 */
export interface FieldTypeTraits {
  kind: ValueKind;
  /** What a value is the name of: an option of the field, a record of its target, a user. Other types hold what was typed. */
  names?: "option" | "record" | "user";
  /** The longest text, in code points. */
  maxLength?: number;
  /** Texts of another shape are refused, also by the database when a field becomes one of this type. */
  shape?: { pattern: RegExp; problem: "value.email" | "value.url" | "value.phone" };
  /** A value may have several lines. */
  hasLines?: true;
  /** The properties of a field that only some types have. `expression`: such a field can be computed. */
  properties: readonly TypeProperty[];
}

/** The properties of a field that only some types have. */
export const typeProperties = [
  "options",
  "target",
  "onDelete",
  "scale",
  "ungrouped",
  "currency",
  "minimum",
  "maximum",
  "pattern",
  "automatic",
  "unique",
  "indexed",
  "expression",
] as const;
export type TypeProperty = (typeof typeProperties)[number];

export const SHORT_TEXT_MAX_LENGTH = 500;
export const LONG_TEXT_MAX_LENGTH = 50_000;

const indexed = ["unique", "indexed"] as const;
const computed = ["expression"] as const;
const number = [...indexed, ...computed, "minimum", "maximum"] as const;
const amount = [...number, "scale"] as const;
const short = { kind: "text", maxLength: SHORT_TEXT_MAX_LENGTH } as const;
const shaped = { ...short, properties: [...indexed, "pattern"] } as const;

export const fieldTypes = {
  text: { ...short, properties: [...indexed, ...computed, "pattern", "automatic"] },
  longText: {
    kind: "text",
    maxLength: LONG_TEXT_MAX_LENGTH,
    hasLines: true,
    properties: [...computed, "pattern"],
  },
  integer: { kind: "integer", properties: [...number, "ungrouped"] },
  decimal: { kind: "decimal", properties: amount },
  money: { kind: "decimal", properties: [...amount, "currency"] },
  percent: { kind: "decimal", properties: amount },
  boolean: { kind: "boolean", properties: [...indexed, ...computed] },
  date: { kind: "date", properties: [...indexed, ...computed] },
  timestamp: { kind: "timestamp", properties: [...indexed, ...computed] },
  /** Whole seconds. */
  duration: { kind: "integer", properties: number },
  select: { kind: "text", names: "option", properties: [...indexed, "options"] },
  multiSelect: { kind: "list", names: "option", properties: ["options"] },
  person: { ...short, names: "user", properties: indexed },
  link: { ...short, names: "record", properties: [...indexed, "target", "onDelete"] },
  email: {
    ...shaped,
    shape: { pattern: /^[^\s@<>"]{1,64}@[^\s@<>"]{1,189}$/, problem: "value.email" },
  },
  url: { ...shaped, shape: { pattern: /^https?:\/\/[^\s/?#]+\S*$/i, problem: "value.url" } },
  /** With its country, or as it is dialled where its users are; an extension after an x. */
  phone: {
    ...shaped,
    shape: { pattern: /^(?:\+[1-9]\d{1,14}|\d{2,20})(?:x\d{1,8})?$/i, problem: "value.phone" },
  },
  json: { kind: "json", hasLines: true, properties: [] },
} as const satisfies Record<string, FieldTypeTraits>;

export type FieldType = keyof typeof fieldTypes;

/** All types, in the order in which they are offered. */
export const fieldTypeNames = Object.keys(fieldTypes) as [FieldType, ...FieldType[]];

/** How a field of each type compares in filters and orders. */
export const kindOfType = Object.fromEntries(
  fieldTypeNames.map((type) => [type, fieldTypes[type].kind]),
) as { [Type in FieldType]: (typeof fieldTypes)[Type]["kind"] };

/** The description of a type, without the properties that only its own entry has. */
export function traitsOf(type: FieldType): FieldTypeTraits {
  return fieldTypes[type];
}

/** Whether fields of a type can have a property. */
export function hasProperty(type: FieldType, property: TypeProperty): boolean {
  return traitsOf(type).properties.includes(property);
}

/** Whether values are ids of records or users, which are shown by their labels. */
export function isReference(type: FieldType): boolean {
  const { names } = traitsOf(type);
  return names === "record" || names === "user";
}

/** Whether values are texts as somebody typed them. */
export function isFreeText(type: FieldType): boolean {
  const { kind, names } = traitsOf(type);
  return kind === "text" && names === undefined;
}
