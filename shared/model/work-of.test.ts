import { describe, expect, it } from "vitest";
import type { Table } from "./model.ts";
import { workOf } from "./work-of.ts";

function buildTable(change: Partial<Table> = {}): Table {
  return {
    name: "tickets",
    label: "Tickets",
    recordLabel: "ticket",
    display: "title",
    stateField: "status",
    columns: [],
    sort: [],
    fields: [
      { name: "title", label: "Title", type: "text" },
      {
        name: "status",
        label: "Status",
        type: "select",
        options: [{ value: "Todo", open: true }, { value: "Doing", open: true }, { value: "Done" }],
      },
      { name: "reporter", label: "Reporter", type: "person" },
      { name: "worker", label: "Assigned to", type: "person" },
      { name: "createdAt", label: "Made", type: "timestamp" },
      { name: "needed", label: "Due date", type: "date" },
      { name: "finished_at", label: "Ready", type: "timestamp" },
      { name: "urgency", label: "Urgency", type: "select", options: [{ value: "1" }] },
      { name: "p", label: "Priority", type: "select", options: [{ value: "1" }] },
    ],
    ...change,
  };
}

describe("the work of a table", () => {
  it("is derived from open states and from field names", () => {
    const work = workOf(buildTable());
    expect(work?.open).toEqual({ field: "status", op: "in", value: ["Todo", "Doing"] });
    const { person, due, started, done, level } = work ?? {};
    const names = [person, due, started, done, level].map((field) => field?.name);
    expect(names).toEqual(["worker", "needed", "createdAt", "finished_at", "p"]);
  });
  it("follows the workflow if there is one", () => {
    const workflow = {
      states: [
        { value: "Todo", open: true },
        { value: "Doing", open: false },
      ],
      transitions: [],
    };
    expect(workOf(buildTable({ workflow }))?.open).toMatchObject({ value: ["Todo"] });
  });
  it("is null if no state is open, or the state may not be read", () => {
    const { stateField: _stateField, ...stateless } = buildTable();
    expect(workOf(stateless)).toBeNull();
    expect(workOf(buildTable(), ["title", "needed"])).toBeNull();
  });
  it("leaves out fields that may not be read", () => {
    const work = workOf(buildTable(), ["status", "title"]);
    expect(Object.keys(work ?? {})).toEqual(["open", "state"]);
  });
});
