import { describeOperand, isMoment } from "./describe-operand.ts";
import type { ComparisonOp, Filter, Json } from "./filter.ts";
import { readOperand } from "./operand.ts";

/** What a field is called on screen. */
export type LabelOf = (field: string) => string;

/** What a value of a field is called on screen, where that is not the value itself: an option, a person. */
export type ValueLabelOf = (field: string, value: Json) => string | undefined;

/** What whoever looks is called: “me” and “my” where they read it themselves. */
export interface PersonWords {
  me: string;
  my: string;
}

interface Words {
  labelOf: LabelOf;
  valueLabelOf: ValueLabelOf;
  person: PersonWords;
}

const reader: PersonWords = { me: "me", my: "my" };

/**
 * A filter as one plain English sentence, without a full stop: “State is New or Active and Assignee is
 * me”. Any filter can be described, checked or not.
 */
export function describeFilter(
  filter: Filter,
  labelOf: LabelOf,
  valueLabelOf: ValueLabelOf = () => undefined,
  person: PersonWords = reader,
): string {
  return describeNode(filter, { labelOf, valueLabelOf, person }, false);
}

function describeNode(filter: Filter, words: Words, nested: boolean): string {
  if ("field" in filter) return describeComparison(filter, words, false);
  if ("not" in filter) {
    if ("field" in filter.not) return describeComparison(filter.not, words, true);
    return `not (${describeNode(filter.not, words, false)})`;
  }
  const [joint, parts, none] =
    "and" in filter
      ? (["and", filter.and, "every record"] as const)
      : (["or", filter.or, "no record"] as const);
  const [first, ...others] = parts;
  if (!first) return none;
  if (others.length === 0) return describeNode(first, words, nested);
  const sentence = parts.map((part) => describeNode(part, words, true)).join(` ${joint} `);
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
  words: Words,
  negated: boolean,
): string {
  const opposite = opposites[op];
  const phrase = phraseOf(field, opposite ?? op, value, words);
  const denied = negated !== (opposite !== undefined || (op === "isEmpty" && value === false));
  return `${words.labelOf(field)} ${denied ? phrase.denied : phrase.affirmed}`;
}

function being(what: string): Phrase {
  return { affirmed: `is ${what}`, denied: `is not ${what}` };
}

function phraseOf(field: string, op: ComparisonOp, value: Json, words: Words): Phrase {
  const say = (each: Json) => describeOperand(field, each, words);
  switch (op) {
    case "in":
    case "nin":
      return oneOf(Array.isArray(value) ? value.map(say) : [say(value)]);
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return being(`${(isMoment(value) ? moments : amounts)[op]} ${say(value)}`);
    case "between":
      return being(`between ${Array.isArray(value) ? value.map(say).join(" and ") : say(value)}`);
    case "contains":
      return verb("contains", "contain", quoted(value, say));
    case "startsWith":
      return verb("starts with", "start with", quoted(value, say));
    case "isEmpty":
      return being("empty");
    default:
      return being(say(value));
  }
}

function verb(third: string, plain: string, object: string): Phrase {
  return { affirmed: `${third} ${object}`, denied: `does not ${plain} ${object}` };
}

function quoted(value: Json, say: (value: Json) => string): string {
  return typeof value === "string" && readOperand(value).type === "value"
    ? `“${say(value)}”`
    : say(value);
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
