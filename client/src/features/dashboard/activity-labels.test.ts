import { describe, expect, it } from "vitest";
import type { Table } from "../../../../shared/model/model.ts";
import type { WireChange } from "../../../../shared/protocol/feed.ts";
import { changeText } from "./activity-labels.ts";

const table: Table = {
  name: "incidents",
  label: "Incidents",
  recordLabel: "incident",
  display: "number",
  columns: [],
  sort: [],
  fields: [
    { name: "state", label: "State", type: "select", options: [{ value: "Active" }] },
    { name: "priority", label: "Priority", type: "select" },
    { name: "title", label: "Title", type: "text" },
  ],
};

function buildChange(kind: WireChange["kind"], fields: string[]): WireChange {
  const set = Object.fromEntries(fields.map((field) => [field, "x"]));
  const by = { kind: "user", id: "u", name: "Mara" } as const;
  return { seq: 1, kind, record: "r", set, by, at: "2026-11-21T12:00:00Z" };
}

/** The text of a change by the author A of the record T. */
function textOf(...[of, change, count]: Parameters<typeof changeText>): string {
  return changeText(of, change, count)
    .replace("<author></author>", "A")
    .replace("<title></title>", "T");
}

describe("changeText", () => {
  it("names fields by their labels", () => {
    expect(textOf(table, buildChange("update", ["state"]))).toBe("A changed State on T");
    expect(textOf(table, buildChange("update", ["state", "priority"]))).toBe(
      "A changed State and Priority on T",
    );
  });
  it("names the option that a select field was set to", () => {
    const change = { ...buildChange("update", []), set: { state: "Active" } };
    expect(textOf(table, change)).toBe("A set State to Active on T");
  });
  it("names two fields, counts the others, and ignores audit fields", () => {
    const change = buildChange("update", ["state", "priority", "title", "updated_at"]);
    expect(textOf(table, change)).toBe("A changed State, Priority and 1 more on T");
  });
  it("names the added or deleted record by the label of its table", () => {
    expect(textOf(table, buildChange("insert", ["state"]))).toBe("A added the incident T");
    expect(textOf(table, buildChange("delete", []))).toBe("A deleted the incident T");
    expect(textOf(table, buildChange("insert", []), 20)).toBe("A added several incidents");
  });
});
