import { areComparable, kindOf } from "./field-kind.ts";
import {
  type Comparison,
  type ComparisonOp,
  FILTER_MAX_DEPTH,
  FILTER_MAX_TERMS,
  FILTER_MAX_VALUES,
  type FieldKinds,
  type Filter,
  type Json,
  type ValueKind,
} from "./filter.ts";
import { literalForms, readLiteral } from "./literal.ts";
import { opsByKind } from "./op-kinds.ts";
import { readOperand } from "./operand.ts";
import { isOrdered } from "./ordering.ts";
import { isEmptyValue, readElements } from "./plan-comparison.ts";

/** Why a filter is refused: where (a JSON pointer into the filter), a code and a sentence. */
export interface FilterProblem {
  path: string;
  reason: "unknown_field" | "op_not_usable" | "wrong_value" | "too_deep" | "too_many_terms";
  message: string;
}

/**
 * Validates a filter before it is stored or run: known fields, operators that fit the kind, values of the
 * right type, depth and size. Variables are accepted unbound. Leave hidden fields out of `kinds`; they are
 * then answered like unknown ones.
 */
export function checkFilter(filter: Filter, kinds: FieldKinds): FilterProblem | null {
  const budget = { terms: FILTER_MAX_TERMS };
  return checkNode(filter, kinds, "", 1, budget);
}

function checkNode(
  filter: Filter,
  kinds: FieldKinds,
  path: string,
  depth: number,
  budget: { terms: number },
): FilterProblem | null {
  if (depth > FILTER_MAX_DEPTH) {
    return problem(path, "too_deep", `A filter nests at most ${FILTER_MAX_DEPTH} levels.`);
  }
  budget.terms -= 1;
  if (budget.terms < 0) {
    return problem(path, "too_many_terms", `A filter has at most ${FILTER_MAX_TERMS} terms.`);
  }
  if ("not" in filter) return checkNode(filter.not, kinds, `${path}/not`, depth + 1, budget);
  if ("field" in filter) return checkComparison(filter, kinds, path);
  const [name, parts] = "and" in filter ? ["and", filter.and] : ["or", filter.or];
  for (const [index, part] of parts.entries()) {
    const found = checkNode(part, kinds, `${path}/${name}/${index}`, depth + 1, budget);
    if (found) return found;
  }
  return null;
}

function problem(path: string, reason: FilterProblem["reason"], message: string): FilterProblem {
  return { path, reason, message };
}

/** The context of one value: the comparison that it belongs to. */
interface Subject {
  field: string;
  kind: ValueKind;
  op: ComparisonOp;
  kinds: FieldKinds;
}

function checkComparison(
  { field, op, value = null }: Comparison,
  kinds: FieldKinds,
  path: string,
): FilterProblem | null {
  const kind = kindOf(kinds, field);
  if (!kind) return problem(`${path}/field`, "unknown_field", `There is no field “${field}”.`);
  if (!opsByKind[kind].includes(op)) {
    return problem(`${path}/op`, "op_not_usable", `“${op}” can't be used on “${field}” (${kind}).`);
  }
  const subject = { field, kind, op, kinds };
  const valuePath = `${path}/value`;
  switch (op) {
    case "in":
    case "nin":
      return checkValues(subject, value, valuePath);
    case "between":
      if (!Array.isArray(value) || value.length !== 2) {
        return wrong(valuePath, `“between” on “${field}” needs two values: [low, high].`);
      }
      return checkEach(subject, value, valuePath);
    case "isEmpty":
      if (value === null || typeof value === "boolean") return null;
      return wrong(valuePath, "“isEmpty” takes no value, or true or false.");
    default:
      return checkValue(subject, value, valuePath);
  }
}

function wrong(path: string, message: string): FilterProblem {
  return problem(path, "wrong_value", message);
}

function checkValues(subject: Subject, value: Json, path: string): FilterProblem | null {
  // An attribute may hold a list, so `in` may name one instead of the list.
  if (readOperand(value).type === "me") return null;
  if (!Array.isArray(value)) {
    return wrong(path, `“${subject.op}” on “${subject.field}” needs a list of values.`);
  }
  if (value.length > FILTER_MAX_VALUES) {
    return wrong(path, `“${subject.op}” takes at most ${FILTER_MAX_VALUES} values.`);
  }
  return checkEach(subject, value, path);
}

function checkEach(subject: Subject, values: Json[], path: string): FilterProblem | null {
  for (const [index, value] of values.entries()) {
    const found = checkValue(subject, value, `${path}/${index}`);
    if (found) return found;
  }
  return null;
}

const takesEmpty: ReadonlySet<ComparisonOp> = new Set(["eq", "ne", "in", "nin"]);

function checkValue(subject: Subject, value: Json, path: string): FilterProblem | null {
  const { field, kind, op } = subject;
  const operand = readOperand(value);
  switch (operand.type) {
    case "field":
      return checkOtherField(subject, operand.field, path);
    case "me":
      return kind === "json" ? wrong(path, `“${field}” can't be compared with a user.`) : null;
    case "now":
    case "today":
    case "ago":
      if (kind === "date" || kind === "timestamp") return null;
      return wrong(path, `“${field}” is no date or time.`);
    case "value":
      if (isEmptyValue(kind, operand.value)) {
        return takesEmpty.has(op) ? null : wrong(path, `“${op}” on “${field}” needs a value.`);
      }
      return checkLiteral(subject, operand.value, path);
  }
}

function checkOtherField(
  { field, kind, op, kinds }: Subject,
  other: string,
  path: string,
): FilterProblem | null {
  const otherKind = kindOf(kinds, other);
  if (!otherKind) return problem(path, "unknown_field", `There is no field “${other}”.`);
  if (op === "contains" || op === "startsWith") {
    if (kind === "list" && otherKind === "text") return null;
    return wrong(path, `“${op}” on “${field}” can't look for another field.`);
  }
  if (areComparable(kind, otherKind)) return null;
  return wrong(path, `“${field}” (${kind}) can't be compared with “${other}” (${otherKind}).`);
}

function checkLiteral({ field, kind, op }: Subject, value: Json, path: string) {
  if (kind === "json") return wrong(path, `“${field}” can only be asked whether it is empty.`);
  if (kind === "list" && op !== "contains") {
    const bound = Array.isArray(value) && value.filter((each) => readOperand(each).type !== "me");
    return bound && readElements(bound) ? null : wrong(path, `“${field}” needs a list of texts.`);
  }
  const expectedKind = isOrdered(kind) ? kind : "text";
  if (readLiteral(expectedKind, value) !== null) return null;
  return wrong(path, `“${field}” needs ${literalForms[expectedKind]}.`);
}
