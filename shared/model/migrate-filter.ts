import { comparisonsOf, fieldsOf, mapComparisons, operandsOf } from "../filter/bind-filter.ts";
import type { Comparison, Filter, Json } from "../filter/filter.ts";
import { renameFields } from "../filter/rename-fields.ts";
import { resolveField } from "./former-names.ts";
import { type Field, idOfField, type Table } from "./model.ts";
import { fieldAfter } from "./names-after.ts";

/** The name in the next model of a field that a right names; unchanged for others. */
export function migratedName(name: string, before: Table, after: Table): string {
  return migratedFieldName(name, before, after) ?? name;
}

/** Whether a name means a removed or missing field, and another field in the next model. */
export function isTaken(name: string, before: Table, after: Table): boolean {
  const isRemoved = migratedFieldName(name, before, after) === undefined;
  return isRemoved && resolveField(after, name) !== undefined;
}

function migratedFieldName(name: string, before: Table, after: Table): string | undefined {
  const field = resolveField(before, name);
  return field && fieldAfter(field.name, before, after);
}

/**
 * Migrates a row right to the next model: it compares the same fields and options. If a new field takes the
 * name of a removed one, the comparison matches nothing.
 */
export function migrateRowFilter(filter: Filter, before: Table, after: Table): Filter {
  const closed = denyFields(filter, (name) => isTaken(name, before, after));
  return renameFields(followOptions(closed, before, after, { mayWiden: false }), (name) =>
    migratedName(name, before, after),
  );
}

/**
 * The filter with a replaced option in place of the former one. If several options became one, records of the others are
 * included by that: unless it `mayWiden`, only comparisons that exclude records follow then.
 */
export function followOptions(
  filter: Filter,
  before: Table,
  after: Table,
  { mayWiden = true } = {},
): Filter {
  return replaceValues(filter, (name, value, isExcluding) => {
    const was = resolveField(before, name);
    const is = was && after.fields.find((field) => idOfField(field) === idOfField(was));
    const had = was?.options?.some((option) => option.value === value);
    if (!had || !is?.options || is.options.some((option) => option.value === value)) return value;
    const successor = is.options.find(({ formerly }) => formerly?.includes(value));
    if (!successor) return value;
    if (mayWiden) return successor.value;
    const replaced = was?.options?.filter(
      (option) => option.value === successor.value || successor.formerly?.includes(option.value),
    );
    return isExcluding || replaced?.length === 1 ? successor.value : value;
  });
}

/** The options that a filter compares a field's value with, also those that the field has no longer. */
export function optionsIn(filter: Filter, table: Table): { field: Field; option: string }[] {
  return comparisonsOf(filter).flatMap(({ field: name, op, value = null }) => {
    const field = resolveField(table, name);
    // of a single option `contains` compares a part
    const isWhole = op !== "contains" || field?.type === "multiSelect";
    if (!field?.options || !byValue.has(op) || !isWhole) return [];
    return operandsOf(value).flatMap((operand) => {
      const option = operand.type === "value" ? operand.value : null;
      return typeof option === "string" && option !== "" ? [{ field, option }] : [];
    });
  });
}

/**
 * The filter with the comparisons that read certain fields replaced by constants, so that the whole can only
 * match fewer records than with any values of those fields.
 */
function denyFields(filter: Filter, isRemoved: (field: string) => boolean): Filter {
  return mapComparisons(filter, (one, denied) =>
    [...fieldsOf(one)].some(isRemoved) ? denied : one,
  );
}

/** Returns the new name of a compared value. `negated` says whether a match excludes the record. */
type ReplaceValue = (field: string, value: string, negated: boolean) => string;

/** A filter with its values renamed. */
function replaceValues(filter: Filter, replace: ReplaceValue): Filter {
  return mapComparisons(filter, (one, _denied, negated) => replaceIn(one, replace, negated));
}

const excluding: ReadonlySet<Comparison["op"]> = new Set(["ne", "nin"]);
const byValue: ReadonlySet<Comparison["op"]> = new Set(["eq", "ne", "in", "nin", "contains"]);

function replaceIn(comparison: Comparison, replace: ReplaceValue, negated: boolean): Comparison {
  const { field, op, value } = comparison;
  if (value === undefined || !byValue.has(op)) return comparison;
  const isExcluding = excluding.has(op) !== negated;
  const now = (one: Json) => (typeof one === "string" ? replace(field, one, isExcluding) : one);
  return {
    ...comparison,
    value: Array.isArray(value) ? [...new Set(value.map(now))] : now(value),
  };
}
