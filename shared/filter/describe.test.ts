import { describe, expect, test } from "vitest";
import { englishText } from "../error-texts/explain.ts";
import { describeFilter } from "./describe.ts";
import type { Filter, Json } from "./filter.ts";

const labels: Readonly<Record<string, string>> = {
  state: "State",
  assignee: "Assignee",
  opened_at: "Opened",
  due_at: "Due",
};
const labelOf = (field: string) => labels[field] ?? field;

const sentences: readonly (readonly [sentence: string, filter: Filter])[] = [
  [
    "State is New or Active and Assignee is me",
    {
      and: [
        { field: "state", op: "in", value: ["New", "Active"] },
        { field: "assignee", op: "eq", value: "$me" },
      ],
    },
  ],
  ["State is not New", { field: "state", op: "ne", value: "New" }],
  ["State is not New", { not: { field: "state", op: "eq", value: "New" } }],
  ["State is New", { not: { field: "state", op: "ne", value: "New" } }],
  ["State is neither A, B nor C", { field: "state", op: "nin", value: ["A", "B", "C"] }],
  ["State is A or empty", { field: "state", op: "in", value: ["A", null] }],
  ["State is empty", { field: "state", op: "eq", value: null }],
  ["State is not empty", { field: "state", op: "isEmpty", value: false }],
  ["State is empty", { not: { field: "state", op: "isEmpty", value: false } }],
  ["Opened is before 4 hours ago", { field: "opened_at", op: "lt", value: { ago: "4h" } }],
  ["Due is not after in 1 day", { field: "due_at", op: "lte", value: { ago: "-1d" } }],
  ["impact is at least 2", { field: "impact", op: "gte", value: 2 }],
  ["impact is between 1 and 3", { field: "impact", op: "between", value: [1, 3] }],
  ["notes contains “100%”", { field: "notes", op: "contains", value: "100%" }],
  ["notes does not start with “x”", { not: { field: "notes", op: "startsWith", value: "x" } }],
  ["group is my group", { field: "group", op: "eq", value: "$me.group" }],
  ["done is yes", { field: "done", op: "eq", value: true }],
  ["Opened is less than Due", { field: "opened_at", op: "lt", value: { field: "due_at" } }],
  [
    "State is A and (a is 1 or b is 2)",
    {
      and: [
        { field: "state", op: "eq", value: "A" },
        {
          or: [
            { field: "a", op: "eq", value: 1 },
            { field: "b", op: "eq", value: 2 },
          ],
        },
      ],
    },
  ],
  ["every record", { and: [] }],
  ["no record", { or: [] }],
  ["not (every record)", { not: { and: [] } }],
  ["not (impact is at least 2)", { not: { field: "impact", op: "gte", value: 2 } }],
  [
    "a is 1 and b is 1 and c is 1 and d is 1 and e is 1",
    { and: [..."abcde"].map((field) => ({ field, op: "eq", value: 1 })) },
  ],
];

describe("a filter in words", () => {
  test.each(sentences)("%s", (sentence, filter) => {
    expect(englishText(describeFilter(filter, labelOf))).toBe(sentence);
  });

  test("names values by their labels", () => {
    const people: Readonly<Record<string, string>> = { u1: "Ada", u2: "Grace" };
    const valueLabelOf = (field: string, value: Json) =>
      field === "assignee" ? people[String(value)] : undefined;
    const filter: Filter = { field: "assignee", op: "in", value: ["u1", "u2", "u3"] };
    expect(englishText(describeFilter(filter, labelOf, valueLabelOf))).toBe(
      "Assignee is Ada, Grace or u3",
    );
  });
});
