import { type Explanation, explain } from "../error-texts/explain.ts";
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
import { readOperand } from "./operand.ts";
import { isOrdered } from "./ordering.ts";
import { readElements } from "./plan-comparison.ts";
import { areComparable, isEmptyValue, isTemporal, kindOf, opsByKind } from "./value-kinds.ts";

/** Why a filter is refused: where (a JSON pointer into the filter), a code and a sentence. */
export interface FilterProblem extends Explanation {
  path: string;
  reason: "unknown_field" | "op_not_usable" | "wrong_value" | "too_deep" | "too_many_terms";
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
    return problem(path, "too_deep", explain("filter.tooDeep", { limit: FILTER_MAX_DEPTH }));
  }
  budget.terms -= 1;
  if (budget.terms < 0) {
    return problem(
      path,
      "too_many_terms",
      explain("filter.tooManyTerms", { limit: FILTER_MAX_TERMS }),
    );
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

function problem(
  path: string,
  reason: FilterProblem["reason"],
  explanation: Explanation,
): FilterProblem {
  return { path, reason, ...explanation };
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
  if (!kind)
    return problem(`${path}/field`, "unknown_field", explain("filter.unknownField", { field }));
  if (!opsByKind[kind].includes(op)) {
    return problem(
      `${path}/op`,
      "op_not_usable",
      explain("filter.operator", { operator: op, field, kind }),
    );
  }
  const subject = { field, kind, op, kinds };
  const valuePath = `${path}/value`;
  switch (op) {
    case "in":
    case "nin":
      return checkValues(subject, value, valuePath);
    case "between":
      if (!Array.isArray(value) || value.length !== 2) {
        return wrong(valuePath, explain("filter.between", { field }));
      }
      return checkEach(subject, value, valuePath);
    case "isEmpty":
      if (value === null || typeof value === "boolean") return null;
      return wrong(valuePath, explain("filter.isEmpty"));
    default:
      return checkValue(subject, value, valuePath);
  }
}

function wrong(path: string, explanation: Explanation): FilterProblem {
  return problem(path, "wrong_value", explanation);
}

function checkValues(subject: Subject, value: Json, path: string): FilterProblem | null {
  // An attribute may hold a list, so `in` may name one instead of the list.
  if (readOperand(value).type === "me") return null;
  if (!Array.isArray(value)) {
    return wrong(path, explain("filter.list", { operator: subject.op, field: subject.field }));
  }
  if (value.length > FILTER_MAX_VALUES) {
    return wrong(
      path,
      explain("filter.tooManyValues", { operator: subject.op, limit: FILTER_MAX_VALUES }),
    );
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
      return kind === "json" ? wrong(path, explain("filter.user", { field })) : null;
    case "now":
    case "today":
    case "ago":
      if (isTemporal(kind)) return null;
      return wrong(path, explain("filter.noTime", { field }));
    case "value":
      if (isEmptyValue(kind, operand.value)) {
        return takesEmpty.has(op)
          ? null
          : wrong(path, explain("filter.value", { operator: op, field }));
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
  if (!otherKind)
    return problem(path, "unknown_field", explain("filter.unknownField", { field: other }));
  if (op === "contains" || op === "startsWith") {
    if (kind === "list" && otherKind === "text") return null;
    return wrong(path, explain("filter.otherField", { operator: op, field }));
  }
  if (areComparable(kind, otherKind)) return null;
  return wrong(path, explain("filter.otherKind", { field, kind, other, otherKind }));
}

function checkLiteral({ field, kind, op }: Subject, value: Json, path: string) {
  if (kind === "json") return wrong(path, explain("filter.json", { field }));
  if (kind === "list" && op !== "contains") {
    const bound = Array.isArray(value) && value.filter((each) => readOperand(each).type !== "me");
    return bound && readElements(bound) ? null : wrong(path, explain("filter.texts", { field }));
  }
  const expectedKind = isOrdered(kind) ? kind : "text";
  if (readLiteral(expectedKind, value) !== null) return null;
  return wrong(path, explain("filter.form", { field, form: explain(literalForms[expectedKind]) }));
}
