import { expect, test } from "vitest";
import type { Model, Table } from "../../../../../shared/model/model.ts";
import { fieldSchema } from "../../../../../shared/model/model-schema.ts";
import { findSetting } from "../../../records/settings/settings.tsx";
import { type Change, describeChanges, modelSettings } from "./describe-changes.ts";

const base: Model = {
  version: 1,
  tables: [
    {
      id: "jobs",
      name: "jobs",
      label: "Jobs",
      recordLabel: "job",
      display: "title",
      stateField: "state",
      columns: ["title"],
      sort: [],
      fields: [
        { id: "title", name: "title", label: "Title", type: "text" },
        { id: "size", name: "size", label: "Size", type: "integer" },
        {
          id: "state",
          name: "state",
          label: "State",
          type: "select",
          options: [{ value: "New" }, { value: "Done" }],
        },
      ],
      rules: [{ filter: { field: "size", op: "gt", value: 5 }, message: "Check the order" }],
      workflow: {
        states: [
          { value: "New", open: true },
          { value: "Done", open: false },
        ],
        transitions: [{ name: "finish", label: "Finish", from: ["New"], to: "Done" }],
      },
    },
  ],
};

function describeLines(change: (jobs: Table, model: Model) => void): string[] {
  const next = structuredClone(base);
  change(next.tables[0] as Table, next);
  return describeChanges(base, next).map(line);
}

function line({ kind, subject, detail }: Change): string {
  if (!detail) return `${kind} ${subject}`;
  const { property, before, after } = detail;
  return `${subject}: ${property} ${before === undefined ? after : `${before} → ${after}`}`;
}

test.each<[(jobs: Table, model: Model) => void, string[]]>([
  [(_, model) => model.tables.pop(), ["removed Table Jobs"]],
  [(jobs) => jobs.fields.splice(1, 1), ["removed Field Size"]],
  [(jobs) => jobs.fields.reverse(), ["changed Order of the fields of Table Jobs"]],
  [
    (jobs) => Object.assign(jobs.fields[1] as object, { label: "Amount", type: "decimal" }),
    ["Field Amount: label “Size” → “Amount”", "Field Amount: type Whole number → Decimal number"],
  ],
  [
    (jobs) => jobs.fields[2]?.options?.push({ value: "Late", colour: "red" }),
    ["added Option “Late” of State"],
  ],
  [(jobs) => jobs.columns.push("size"), ["Table Jobs: default columns added Size"]],
  [
    (jobs) =>
      Object.assign(jobs.workflow?.transitions[0] as object, {
        reason: true,
        requires: ["size"],
        guard: { field: "size", op: "gt", value: 3 },
        sets: { title: "$now" },
      }),
    [
      "Transition “finish”: requires a reason no → yes",
      "Transition “finish”: only where none → Size is more than 3",
      "Transition “finish”: required fields none → Size",
      "Transition “finish”: sets none → Title = the current time",
    ],
  ],
  [
    (jobs) => {
      jobs.rules?.push({ filter: { field: "size", op: "gt", value: 0 }, message: "Too small." });
    },
    ["added Rule “Too small.”"],
  ],
  [
    (jobs) => {
      const [rule] = jobs.rules ?? [];
      if (rule) rule.filter = { field: "size", op: "gt", value: 7 };
    },
    ["Rule “Check the order”: condition Size is more than 5 → Size is more than 7"],
  ],
  [(jobs) => delete jobs.workflow, ["removed Workflow"]],
  [
    (jobs) =>
      Object.assign(jobs.fields[0] as object, {
        required: true,
        onDelete: "unlink",
        scale: 3,
        automatic: { prefix: "J-", digits: 5, start: 1 },
      }),
    [
      "Field Title: required no → yes",
      "Field Title: when the linked record is deleted is prevented → clears the link",
      "Field Title: decimal places 2 → 3",
      "Field Title: automatic numbering none → First: J-00001",
    ],
  ],
])("describes %s", (change, lines) => {
  expect(describeLines(change)).toEqual(lines);
});

test("each property of a field has a name", () => {
  const unnamed = Object.keys(fieldSchema.shape).filter((key) => !findSetting(modelSettings, key));
  expect(unnamed).toEqual(["id", "column", "logKey"]);
});
