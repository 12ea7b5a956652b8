import { describeOperand, isMoment } from "./describe-operand.ts";
import type { ComparisonOp, Filter, Json } from "./filter.ts";
import { readOperand } from "./operand.ts";

/** The label of a field. */
export type LabelOf = (field: string) => string;

/** The label of a value, if it differs from the value: an option, a user. */
export type ValueLabelOf = (field: string, value: Json) => string | undefined;

/** How the current user is called: “me” and “my” if they read it themselves. */
interface Pronouns {
  me: string;
  my: string;
}

interface FilterLabels {
  labelOf: LabelOf;
  valueLabelOf: ValueLabelOf;
  pronouns: Pronouns;
}

const reader: Pronouns = { me: "me", my: "my" };

/**
 * A filter as one plain English sentence, without a full stop: “State is New or Active and Assignee is
 * me”. Any filter can be described, checked or not.
 */
export function describeFilter(
  filter: Filter,
  labelOf: LabelOf,
  valueLabelOf: ValueLabelOf = () => undefined,
  pronouns: Pronouns = reader,
): string {
  return describeNode(filter, { labelOf, valueLabelOf, pronouns }, false);
}

function describeNode(filter: Filter, labels: FilterLabels, nested: boolean): string {
  if ("field" in filter) return describeComparison(filter, labels, false);
  if ("not" in filter) {
    if ("field" in filter.not) return describeComparison(filter.not, labels, true);
    return `not (${describeNode(filter.not, labels, false)})`;
  }
  const [joint, parts, none] =
    "and" in filter
      ? (["and", filter.and, "every record"] as const)
      : (["or", filter.or, "no record"] as const);
  const [first, ...others] = parts;
  if (!first) return none;
  if (others.length === 0) return describeNode(first, labels, nested);
  const sentence = parts.map((part) => describeNode(part, labels, true)).join(` ${joint} `);
  return nested ? `(${sentence})` : sentence;
}

interface Phrase {
  affirmed: string;
  denied: string;
}

const amounts: Readonly<Record<"lt" | "lte" | "gt" | "gte", string>> = {
  lt: "less than",
  lte: "at most",
  gt: "more than",
  gte: "at least",
};
const moments: typeof amounts = {
  lt: "before",
  lte: "not after",
  gt: "after",
  gte: "not before",
};
const opposites: Readonly<Partial<Record<ComparisonOp, ComparisonOp>>> = { ne: "eq", nin: "in" };

function describeComparison(
  { field, op, value = null }: { field: string; op: ComparisonOp; value?: Json | undefined },
  labels: FilterLabels,
  negated: boolean,
): string {
  const opposite = opposites[op];
  const phrase = phraseOf(field, opposite ?? op, value, labels);
  const denied = negated !== (opposite !== undefined || (op === "isEmpty" && value === false));
  return `${labels.labelOf(field)} ${denied ? phrase.denied : phrase.affirmed}`;
}

function being(what: string): Phrase {
  return { affirmed: `is ${what}`, denied: `is not ${what}` };
}

function phraseOf(field: string, op: ComparisonOp, value: Json, labels: FilterLabels): Phrase {
  const describeEach = (each: Json) => describeOperand(field, each, labels);
  switch (op) {
    case "in":
    case "nin":
      return oneOf(Array.isArray(value) ? value.map(describeEach) : [describeEach(value)]);
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return being(`${(isMoment(value) ? moments : amounts)[op]} ${describeEach(value)}`);
    case "between":
      return being(
        `between ${Array.isArray(value) ? value.map(describeEach).join(" and ") : describeEach(value)}`,
      );
    case "contains":
      return verb("contains", "contain", quoted(value, describeEach));
    case "startsWith":
      return verb("starts with", "start with", quoted(value, describeEach));
    case "isEmpty":
      return being("empty");
    default:
      return being(describeEach(value));
  }
}

function verb(third: string, plain: string, object: string): Phrase {
  return { affirmed: `${third} ${object}`, denied: `does not ${plain} ${object}` };
}

function quoted(value: Json, describeEach: (value: Json) => string): string {
  return typeof value === "string" && readOperand(value).type === "value"
    ? `“${describeEach(value)}”`
    : describeEach(value);
}

function oneOf(choices: readonly string[]): Phrase {
  const last = choices.at(-1);
  if (last === undefined) return { affirmed: "is one of none", denied: "is anything" };
  if (choices.length === 1) return being(last);
  const others = choices.slice(0, -1);
  return {
    affirmed: `is ${others.join(", ")} or ${last}`,
    denied: `is neither ${others.join(", ")} nor ${last}`,
  };
}
