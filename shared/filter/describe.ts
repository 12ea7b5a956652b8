import { type Explanation, type ExplanationValue, explain } from "../error-texts/explain.ts";
import {
  describeOperand,
  type FilterLabels,
  isMoment,
  type LabelOf,
  type ValueLabelOf,
} from "./describe-operand.ts";
import type { Comparison, Filter, Json } from "./filter.ts";
import { readOperand } from "./operand.ts";

/**
 * A filter as one plain sentence, without a full stop: “State is New or Active and Assignee is me”. Any filter can be
 * described, checked or not.
 */
export function describeFilter(
  filter: Filter,
  labelOf: LabelOf,
  valueLabelOf: ValueLabelOf = () => undefined,
  isForOthers = false,
): Explanation {
  return describeNode(filter, { labelOf, valueLabelOf, isForOthers }, false);
}

function describeNode(filter: Filter, labels: FilterLabels, nested: boolean): Explanation {
  if ("field" in filter) return describeComparison(filter, labels, false);
  if ("not" in filter) {
    if ("field" in filter.not) return describeComparison(filter.not, labels, true);
    return explain("condition.not", { condition: describeNode(filter.not, labels, false) });
  }
  const isAll = "and" in filter;
  const parts = isAll ? filter.and : filter.or;
  const [first, ...others] = parts;
  if (!first) return explain(isAll ? "condition.everyRecord" : "condition.noRecord");
  if (others.length === 0) return describeNode(first, labels, nested);
  const condition = joined(
    isAll ? "condition.and" : "condition.or",
    parts.map((part) => describeNode(part, labels, true)),
  );
  return nested ? explain("condition.group", { condition }) : condition;
}

/** Halves of halves: each sentence holds its parts, and hundreds of them would nest too deeply in a chain. */
function joined(key: "condition.and" | "condition.or", parts: readonly Explanation[]): Explanation {
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  const half = Math.ceil(parts.length / 2);
  return explain(key, {
    first: joined(key, parts.slice(0, half)),
    second: joined(key, parts.slice(half)),
  });
}

const amounts = {
  lt: "condition.lessThan",
  lte: "condition.atMost",
  gt: "condition.moreThan",
  gte: "condition.atLeast",
} as const;
const moments = {
  lt: "condition.before",
  lte: "condition.notAfter",
  gt: "condition.after",
  gte: "condition.notBefore",
} as const;

const texts = {
  contains: { affirmed: "condition.contains", denied: "condition.notContains" },
  startsWith: { affirmed: "condition.startsWith", denied: "condition.notStartsWith" },
} as const;

function describeComparison(
  { field: name, op, value = null }: Comparison,
  labels: FilterLabels,
  negated: boolean,
): Explanation {
  const field = labels.labelOf(name);
  const describeEach = (each: Json) => describeOperand(name, each, labels);
  const isOpposite = op === "ne" || op === "nin" || (op === "isEmpty" && value === false);
  const denied = negated !== isOpposite;
  switch (op) {
    case "in":
    case "nin":
      return oneOf(field, (Array.isArray(value) ? value : [value]).map(describeEach), denied);
    case "lt":
    case "lte":
    case "gt":
    case "gte": {
      const key = (isMoment(value) ? moments : amounts)[op];
      return negateIf(denied, explain(key, { field, value: describeEach(value) }));
    }
    case "between": {
      const [from = null, to = null] = Array.isArray(value) ? value : [value];
      const bounds = { from: describeEach(from), to: describeEach(to) };
      return negateIf(denied, explain("condition.between", { field, ...bounds }));
    }
    case "contains":
    case "startsWith": {
      const isText = typeof value === "string" && readOperand(value).type === "value";
      const text = describeEach(value);
      const quoted = isText ? explain("condition.quoted", { text }) : text;
      return explain(texts[op][denied ? "denied" : "affirmed"], { field, value: quoted });
    }
    case "isEmpty":
      return is(field, explain("condition.empty"), denied);
    default:
      return is(field, describeEach(value), denied);
  }
}

function is(field: string, value: ExplanationValue, denied: boolean): Explanation {
  return explain(denied ? "condition.isNot" : "condition.is", { field, value });
}

function oneOf(field: string, choices: ExplanationValue[], denied: boolean): Explanation {
  const [last, others] = [choices.at(-1), choices.slice(0, -1)];
  if (last === undefined)
    return explain(denied ? "condition.anything" : "condition.oneOfNone", { field });
  if (others.length === 0) return is(field, last, denied);
  return explain(denied ? "condition.noneOf" : "condition.oneOf", { field, others, last });
}

function negateIf(denied: boolean, condition: Explanation): Explanation {
  return denied ? explain("condition.not", { condition }) : condition;
}
