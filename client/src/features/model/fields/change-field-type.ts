import type { FieldType } from "../../../../../shared/model/field-types.ts";
import { hasProperty, type TypeProperty } from "../../../../../shared/model/field-types.ts";
import { DEFAULT_NOW, isNowByDefault } from "../../../../../shared/model/initial-value.ts";
import type { Field, Model, Option } from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { freeColour } from "../parts/free-colour.ts";

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
  if (expression !== undefined && hasProperty(type, "expression")) return { ...next, expression };
  if (isNowByDefault({ ...field, type })) return { ...next, default: DEFAULT_NOW };
  const initial = field.default === undefined ? null : normalizeValue(next, field.default);
  return initial?.ok ? { ...next, default: initial.value } : next;
}

/** The properties that a field has under its new type as before, if that has them. */
const lasting = [
  "unique",
  "indexed",
  "scale",
  "ungrouped",
  "currency",
  "minimum",
  "maximum",
  "pattern",
] as const satisfies readonly TypeProperty[];

function typeProperties(field: Field, type: FieldType, model: Model): Partial<Field> {
  const has = (property: TypeProperty) => hasProperty(type, property);
  const { options, patternHint, currency, scale, target } = field;
  return definedOnly({
    ...Object.fromEntries(lasting.filter(has).map((property) => [property, field[property]])),
    ...(has("pattern") && { patternHint }),
    ...(has("options") && {
      options: options ?? firstOptions(),
    }),
    ...(has("currency") && { currency: currency ?? "EUR", scale: scale ?? 2 }),
    ...(has("target") && { target: target ?? model.tables[0]?.name }),
  });
}

/** To begin with, each with a colour of its own. */
function firstOptions(): Option[] {
  const first: Option = { value: messages.firstOption(), colour: freeColour([]) };
  return [first, { value: messages.secondOption(), colour: freeColour([first]) }];
}

function definedOnly<T extends object>(values: T): Partial<T> {
  const properties = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(properties) as Partial<T>;
}
