import { bindFilter } from "../../filter/bind-filter.ts";
import type { Comparison, Filter, FilterContext, Json } from "../../filter/filter.ts";
import { readLiteral } from "../../filter/literal.ts";
import { kindOfType } from "../field-types.ts";
import { findField, type Table, type Values } from "../model.ts";
import { normalizeValue } from "../normalize-value.ts";
import { isReadOnly } from "../recorded.ts";
import { governedBy } from "../state-of.ts";
import { initialStates } from "../workflow.ts";

/**
 * The values that a new record needs to match a view, as far as its filter fixes them: a field that must
 * equal one value gets it. Only fields among `writable` are filled.
 */
export function prefillOf(
  table: Table,
  filter: Filter | null,
  writable: readonly string[],
  context: FilterContext,
): Values {
  if (!filter) return {};
  const governed = governedBy(table);
  const values: Values = {};
  for (const demand of demandsOf(bindFilter(filter, context))) {
    const [name, value] = [demand.field, plainValueOf(demand)];
    const field = findField(table, name);
    if (!field || isReadOnly(field)) continue;
    const isState = name === governed?.stateField;
    const mayBegin = isState && initialStates(governed.workflow).includes(String(value));
    if (isState ? !mayBegin : !writable.includes(name)) continue;
    const isDay = kindOfType[field.type] === "date";
    const normal = normalizeValue(field, isDay ? readLiteral("date", value) : value);
    if (normal.ok && normal.value !== null) values[name] = normal.value;
  }
  return values;
}

/** The comparisons that every record must match, and that name one plain value. */
export function demandsOf(filter: Filter): Comparison[] {
  if ("and" in filter) return filter.and.flatMap(demandsOf);
  if ("or" in filter) return filter.or.length === 1 ? filter.or.flatMap(demandsOf) : [];
  return "field" in filter && plainValueOf(filter) !== null ? [filter] : [];
}

/** The value that a field must equal, if it is a single and plain one. */
function plainValueOf({ op, value }: Comparison): string | number | boolean | null {
  const [only, ...others] = op === "in" && Array.isArray(value) ? value : [value];
  const isOne = (op === "eq" || op === "in") && others.length === 0;
  return isOne && isPlain(only) ? only : null;
}

function isPlain(value: Json | undefined): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
