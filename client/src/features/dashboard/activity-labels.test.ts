import { describe, expect, it } from "vitest";
import type { Table } from "../../../../shared/model/model.ts";
import type { WireChange } from "../../../../shared/protocol/changes.ts";
import { authorName, changeSummary } from "./activity-labels.ts";

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

describe("a change in words", () => {
  it("names the fields as the model labels them", () => {
    expect(changeSummary(table, buildChange("update", ["state"]))).toBe("changed State of");
    expect(changeSummary(table, buildChange("update", ["state", "priority"]))).toBe(
      "changed State and Priority of",
    );
  });
  it("names the option, where one select field was set", () => {
    const change = { ...buildChange("update", []), set: { state: "Active" } };
    expect(changeSummary(table, change)).toBe("set State to Active on");
  });
  it("counts what it does not name, and leaves out housekeeping", () => {
    const change = buildChange("update", ["state", "priority", "title", "updated_at"]);
    expect(changeSummary(table, change)).toBe("changed State, Priority and 1 more of");
  });
  it("says what was added or deleted by the record's own word", () => {
    expect(changeSummary(table, buildChange("insert", ["state"]))).toBe("added the incident");
    expect(changeSummary(table, buildChange("delete", []))).toBe("deleted the incident");
    expect(changeSummary(table, buildChange("insert", []), 20)).toBe("added several incidents");
  });
  it("names another program as such", () => {
    expect(authorName({ kind: "external", id: "psql", name: "psql" })).toBe("Another program");
  });
});
