import type { Filter, Json } from "../../../../shared/filter/filter.ts";
import { readOperand } from "../../../../shared/filter/operand.ts";
import type { Field, FieldType } from "../../../../shared/model/model.ts";

/** What a row of the filter builder may ask. Each is one comparison of the filter language, or its `not`. */
export type Question =
  | "contains"
  | "lacks"
  | "startsWith"
  | "eq"
  | "ne"
  | "in"
  | "nin"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "between"
  | "within"
  | "empty"
  | "filled"
  | "me";

/** One row of the builder: it counts as soon as it says something. */
export interface FilterRow {
  id: number;
  field: string;
  question: Question;
  value: Json;
}

const textQuestions: Question[] = [
  "contains",
  "lacks",
  "eq",
  "ne",
  "startsWith",
  "empty",
  "filled",
];
const numberQuestions: Question[] = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "between",
  "empty",
  "filled",
];

const byType: Partial<Record<FieldType, Question[]>> = {
  integer: numberQuestions,
  decimal: numberQuestions,
  money: numberQuestions,
  percent: numberQuestions,
  duration: numberQuestions,
  boolean: ["eq", "empty", "filled"],
  date: ["gte", "lte", "eq", "between", "empty", "filled"],
  timestamp: ["within", "gte", "lt", "between", "empty", "filled"],
  select: ["in", "nin", "empty", "filled"],
  multiSelect: ["contains", "lacks", "empty", "filled"],
  person: ["eq", "me", "ne", "empty", "filled"],
  link: ["eq", "ne", "empty", "filled"],
  json: ["empty", "filled"],
};

/** The questions that make sense for a field, the most useful first. */
export function questionsFor(field: Field): Question[] {
  return byType[field.type] ?? textQuestions;
}

const wordings: Record<Question, string> = {
  contains: "contains",
  lacks: "does not contain",
  startsWith: "starts with",
  eq: "is",
  ne: "is not",
  in: "is any of",
  nin: "is none of",
  lt: "is less than",
  lte: "is at most",
  gt: "is more than",
  gte: "is at least",
  between: "is between",
  within: "is within the last",
  empty: "is empty",
  filled: "is not empty",
  me: "is me",
};

/** The words of a question for a field: a day is "before", an amount is "less". */
export function wordingOf(question: Question, type: FieldType): string {
  if (type === "date" || type === "timestamp") {
    if (question === "gte") return "is on or after";
    if (question === "lte") return "is on or before";
    if (question === "lt") return "is before";
    if (question === "gt") return "is after";
  }
  return wordings[question];
}

/** Whether a question asks for a value to compare with. */
export function needsValue(question: Question): boolean {
  return question !== "empty" && question !== "filled" && question !== "me";
}

/** A row as a comparison; null where it says nothing yet. */
export function toTerm({ field, question, value }: FilterRow): Filter | null {
  if (needsValue(question) && isBlank(value)) return null;
  switch (question) {
    case "empty":
      return { field, op: "isEmpty", value: true };
    case "filled":
      return { field, op: "isEmpty", value: false };
    case "me":
      return { field, op: "eq", value: "$me" };
    case "lacks":
      return { not: { field, op: "contains", value } };
    case "within":
      return { field, op: "gte", value: { ago: String(value) } };
    case "between":
      return Array.isArray(value) && value.length === 2 && !value.some(isBlank)
        ? { field, op: "between", value }
        : null;
    default:
      return { field, op: question, value };
  }
}

function isBlank(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** The row that shows a comparison, or the `not` of one that has words of its own; null for a group. */
export function fromTerm(term: Filter, id: number): FilterRow | null {
  if ("not" in term) {
    const inner = fromTerm(term.not, id);
    return inner?.question === "contains" ? { ...inner, question: "lacks" } : null;
  }
  if (!("field" in term)) return null;
  const { field, op, value = null } = term;
  const row = (question: Question, of: Json = null): FilterRow => ({
    id,
    field,
    question,
    value: of,
  });
  if (op === "isEmpty") return row(value === false ? "filled" : "empty");
  if (value === null && (op === "eq" || op === "ne")) return row(op === "eq" ? "empty" : "filled");
  if (op === "eq" && value === "$me") return row("me");
  const isSpan = readOperand(value).type === "ago" && !Array.isArray(value);
  if (op === "gte" && isSpan) return row("within", (value as { ago: string }).ago);
  return row(op, value);
}
