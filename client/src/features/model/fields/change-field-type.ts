import { canBeComputed } from "../../../../../shared/model/expression/check-expression.ts";
import { DEFAULT_NOW, isNowByDefault } from "../../../../../shared/model/initial-value.ts";
import type { Field, FieldType, Model } from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";

/**
 * Converts a field to another type. Properties that don't apply to the type are removed, and required ones are added.
 */
export function changeFieldType(field: Field, type: FieldType, model: Model): Field {
  const { expression } = field;
  const { id, column, logKey, formerly, name, label, help, width, required, immutable } = field;
  const properties = {
    id,
    column,
    logKey,
    formerly,
    name,
    label,
    help,
    width,
    required,
    immutable,
  };
  const next: Field = {
    ...definedOnly(properties),
    name,
    label,
    type,
    ...typeProperties(field, type, model),
  };
  if (expression !== undefined && canBeComputed(type)) return { ...next, expression };
  if (isNowByDefault({ ...field, type })) return { ...next, default: DEFAULT_NOW };
  const initial = field.default === undefined ? null : normalizeValue(next, field.default);
  return initial?.ok ? { ...next, default: initial.value } : next;
}

const choices: readonly FieldType[] = ["select", "multiSelect"];
const exact: readonly FieldType[] = ["decimal", "money", "percent"];
/** The types with a minimum and a maximum. */
export const numbers: readonly FieldType[] = [...exact, "integer", "duration"];
/** The types with a pattern. */
export const texts: readonly FieldType[] = ["text", "longText", "email", "url", "phone"];
/** The types whose values can be neither unique nor indexed. */
export const unindexed: readonly FieldType[] = ["longText", "json", "multiSelect"];

function typeProperties(field: Field, type: FieldType, model: Model): Partial<Field> {
  const { unique, indexed, options, scale, currency, minimum, maximum, pattern, patternHint } =
    field;
  return definedOnly({
    ...(!unindexed.includes(type) && { unique, indexed }),
    ...(choices.includes(type) && {
      options: options ?? [{ value: messages.firstOption() }, { value: messages.secondOption() }],
    }),
    ...(exact.includes(type) && { scale }),
    ...(type === "money" && { currency: currency ?? "EUR", scale: scale ?? 2 }),
    ...(numbers.includes(type) && { minimum, maximum }),
    ...(texts.includes(type) && { pattern, patternHint }),
    ...(type === "link" && { target: field.target ?? model.tables[0]?.name }),
  });
}

function definedOnly<T extends object>(values: T): Partial<T> {
  const properties = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(properties) as Partial<T>;
}
