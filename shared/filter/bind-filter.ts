import { writeInstant, writeStartOfDay } from "./clock.ts";
import type { Comparison, Filter, FilterContext, Json } from "./filter.ts";
import { literalText, type Operand, readOperand } from "./operand.ts";

/**
 * Replaces the variables of a filter by plain values, so that equal bound filters mean equal scopes.
 * Fails closed: a comparison with an attribute that the user lacks (missing, null, empty, or not a plain
 * value) matches nothing. Under `not` it counts as one that matches everything, so that the whole can only
 * match fewer records than with any value of the attribute. Without a user this applies to every `$me`. The
 * empty `or` matches nothing, the empty `and` everything.
 */
export function bindFilter(filter: Filter, context: FilterContext): Filter {
  return mapComparisons(filter, (one, denied) => bindComparison(one, context) ?? denied);
}

/** Whether a filter's meaning changes with time; row rights must not. */
export function usesClock(filter: Filter): boolean {
  return someOperand(filter, ({ type }) => type === "now" || type === "today" || type === "ago");
}

/** Whether a filter's meaning depends on the time zone. */
export function usesDays(filter: Filter): boolean {
  return someOperand(filter, ({ type }) => type === "today");
}

/** Whether a filter's meaning depends on the user. */
export function usesCurrentUser(filter: Filter): boolean {
  return someOperand(filter, ({ type }) => type === "me");
}

/** The user attributes that a filter reads. */
export function attributesOf(filter: Filter): Set<string> {
  const operands = comparisonsOf(filter).flatMap(({ value = null }) => operandsOf(value));
  return new Set(
    operands.flatMap((operand) =>
      operand.type === "me" && operand.attribute !== null ? [operand.attribute] : [],
    ),
  );
}

/** The fields a filter reads, on either side of its comparisons. */
export function fieldsOf(filter: Filter): Set<string> {
  const fields = new Set<string>();
  for (const { field, value = null } of comparisonsOf(filter)) {
    fields.add(field);
    for (const operand of operandsOf(value)) {
      if (operand.type === "field") fields.add(operand.field);
    }
  }
  return fields;
}

function someOperand(filter: Filter, predicate: (operand: Operand) => boolean): boolean {
  return comparisonsOf(filter).some(({ value = null }) => operandsOf(value).some(predicate));
}

/** All comparisons of a filter, in their order. */
export function comparisonsOf(filter: Filter): Comparison[] {
  if ("not" in filter) return comparisonsOf(filter.not);
  if ("field" in filter) return [filter];
  return ("and" in filter ? filter.and : filter.or).flatMap(comparisonsOf);
}

/** The operands of a comparison. */
export function operandsOf(value: Json): Operand[] {
  return Array.isArray(value) ? value.map(readOperand) : [readOperand(value)];
}

/** The filter with each comparison replaced. `denied` is what matches fewest records there: under `not`, everything. */
export function mapComparisons(
  filter: Filter,
  replace: (comparison: Comparison, denied: Filter, negated: boolean) => Filter,
  negated = false,
): Filter {
  const inPart = (part: Filter) => mapComparisons(part, replace, negated);
  if ("not" in filter) return { not: mapComparisons(filter.not, replace, !negated) };
  if ("and" in filter) return { and: filter.and.map(inPart) };
  if ("or" in filter) return { or: filter.or.map(inPart) };
  return replace(filter, negated ? { and: [] } : { or: [] }, negated);
}

/** The comparison with plain values, or null if one of them is unbound. */
function bindComparison(comparison: Comparison, context: FilterContext): Comparison | null {
  const { field, op, value } = comparison;
  if (value === undefined) return comparison;
  const takesMany = op === "in" || op === "nin";
  if (!Array.isArray(value)) {
    const bound = bindValue(value, context);
    if (bound === undefined) return null;
    return { field, op, value: takesMany && !Array.isArray(bound) ? [bound] : bound };
  }
  const all: Json[] = [];
  for (const element of value) {
    const bound = bindValue(element, context);
    if (bound === undefined) return null;
    if (takesMany && Array.isArray(bound)) all.push(...bound);
    else all.push(bound);
  }
  return { field, op, value: all };
}

function bindValue(value: Json, context: FilterContext): Json | undefined {
  const operand = readOperand(value);
  const { now, zone = "UTC" } = context;
  switch (operand.type) {
    case "value":
    case "field":
      return value;
    case "me":
      return bindCurrentUser(operand.attribute, context);
    case "now":
      return writeInstant(Date.parse(now), zone);
    case "today":
      return writeStartOfDay(Date.parse(now), zone);
    case "ago":
      return writeInstant(Date.parse(now) - operand.seconds * 1000, zone);
  }
}

function bindCurrentUser(attribute: string | null, { me }: FilterContext): Json | undefined {
  if (!me) return undefined;
  if (attribute === null) return me.id;
  const value = Object.hasOwn(me.attributes, attribute) ? me.attributes[attribute] : undefined;
  if (!Array.isArray(value)) return isPlain(value) ? asLiteral(value) : undefined;
  const elements = value.filter(isPlain).map(asLiteral);
  return elements.length > 0 ? elements : undefined;
}

/** An attribute that is spelt like a variable is still a plain value. */
function asLiteral(value: boolean | number | string): Json {
  return typeof value === "string" ? literalText(value) : value;
}

/** A single existing value. Objects are refused, so that an attribute can't inject `{"field": …}`. */
function isPlain(value: Json | undefined): value is boolean | number | string {
  return value !== undefined && value !== null && value !== "" && typeof value !== "object";
}
