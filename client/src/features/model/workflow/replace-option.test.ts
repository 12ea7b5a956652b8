import { expect, it } from "vitest";
import { checkModel } from "../../../../../shared/model/check-model.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { replaceOption } from "./replace-option.ts";

const select = (name: string, ...values: string[]): Field => ({
  ...{ name, label: name, type: "select" },
  options: values.map((value) => ({ value })),
});
const is = (field: string, value: string) => ({ field, op: "eq" as const, value });
const table: Table = {
  ...{ name: "jobs", label: "Jobs", recordLabel: "job", display: "title", columns: [], sort: [] },
  fields: [
    { ...select("level", "low", "high", "urgent"), default: "high" },
    {
      ...select("pace", "slow", "fast"),
      derive: { fields: ["level"], values: { low: "slow", high: "slow", urgent: "fast" } },
    },
    select("state", "new", "done"),
    { name: "title", label: "Title", type: "text" },
  ],
  stateField: "state",
  workflow: {
    states: [
      { value: "new", open: true, initial: true },
      { value: "done", open: false },
    ],
    transitions: [
      {
        ...{ name: "finish", label: "Finish", from: ["new"], to: "done" },
        ...{ guard: { not: is("level", "high") }, sets: { level: "high", pace: "slow" } },
      },
    ],
  },
  rules: [
    { filter: { or: [is("pace", "fast"), { not: is("level", "high") }] }, message: "Hurry." },
  ],
};

it("an option that is replaced is replaced wherever the table names it", () => {
  const next = replaceOption(table, "level", "high", "urgent");
  expect(next).toEqual({
    ...table,
    fields: [
      {
        ...table.fields[0],
        default: "urgent",
        options: [{ value: "low" }, { value: "urgent", formerly: ["high"] }],
      },
      {
        ...table.fields[1],
        derive: { fields: ["level"], values: { low: "slow", urgent: "fast" } },
      },
      ...table.fields.slice(2),
    ],
    workflow: {
      states: table.workflow?.states,
      transitions: [
        {
          ...table.workflow?.transitions[0],
          ...{ guard: { not: is("level", "urgent") }, sets: { level: "urgent", pace: "slow" } },
        },
      ],
    },
    rules: [
      { filter: { or: [is("pace", "fast"), { not: is("level", "urgent") }] }, message: "Hurry." },
    ],
  });
  const limits = { TABLE_MAX_FIELDS: 10, MODEL_MAX_TABLES: 10 };
  expect(checkModel({ version: 1, tables: [next] }, limits)).toEqual([]);
});
