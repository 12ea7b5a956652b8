import { describe, expect, it } from "vitest";
import type { Table } from "../model.ts";
import { type Appearance, visibleAppearance, withHiddenRules } from "./appearance.ts";
import { migrateView } from "./migrate-view.ts";
import { checkViewSettings } from "./view.ts";

const urgent = { field: "urgent", op: "eq" as const, value: true };
const salary = { field: "salary", op: "gt" as const, value: 1 };
const byUrgent = { filter: urgent, colour: "red" as const, field: null };
const bySalary = { filter: { and: [urgent, salary] }, colour: "blue" as const, field: null };
const ofSalary = { filter: urgent, colour: "green" as const, field: "salary" };
const appearance: Appearance = { height: "tall", rules: [bySalary, byUrgent, ofSalary] };
const isVisible = (field: string) => field !== "salary";

const table: Table = {
  name: "posts",
  label: "Posts",
  recordLabel: "post",
  display: "title",
  fields: [
    { id: "f1", name: "title", label: "Title", type: "text" },
    { id: "f2", name: "urgent", label: "Urgent", type: "boolean" },
    { id: "f3", name: "salary", label: "Salary", type: "integer" },
  ],
  columns: ["title"],
  sort: [],
};
const settings = { filter: null, sort: [], columns: [], group: null, appearance };

describe("colour rules", () => {
  it("are left out for those who may not see a field that they read or colour", () => {
    expect(visibleAppearance(appearance, isVisible)).toEqual({ height: "tall", rules: [byUrgent] });
    expect(visibleAppearance({ wrap: true }, isVisible)).toEqual({ wrap: true });
  });

  it("stay where somebody who can't see them changes the others", () => {
    const changed: Appearance = { height: "short", rules: [] };
    const stored = withHiddenRules(changed, appearance, isVisible);
    expect(stored).toEqual({ height: "short", rules: [bySalary, ofSalary] });
    expect(withHiddenRules({}, { rules: [byUrgent] }, isVisible)).toEqual({});
  });

  it("are checked like filters", () => {
    expect(checkViewSettings(settings, table)).toBeNull();
    const wrong = { ...settings, appearance: { rules: [{ ...byUrgent, field: "nothing" }] } };
    expect(checkViewSettings(wrong, table)?.property).toBe("appearance");
    const filter = { field: "nothing", op: "eq" as const, value: 1 };
    const unknown = { ...settings, appearance: { rules: [{ ...byUrgent, filter }] } };
    expect(checkViewSettings(unknown, table)?.property).toBe("appearance");
  });

  it("follow renamed fields, and go with removed ones", () => {
    const [title, flag] = table.fields;
    if (!title || !flag) throw new Error("There are no fields.");
    const after = { ...table, fields: [title, { ...flag, name: "pressing" }] };
    const pressing = { ...byUrgent, filter: { ...urgent, field: "pressing" } };
    expect(migrateView(settings, table, after).appearance).toEqual({
      height: "tall",
      rules: [pressing],
    });
  });
});
