import { describe, expect, it } from "vitest";
import type { Table } from "../../../../shared/model/model.ts";
import type { ActivityItem } from "../../sync/calls/activity.ts";
import { groupRuns } from "./group-runs.ts";

const table: Table = {
  name: "incidents",
  label: "Incidents",
  recordLabel: "incident",
  display: "number",
  columns: [],
  sort: [],
  fields: [],
};

function buildItem(seq: number, author: string, kind: "insert" | "update"): ActivityItem {
  const by = { kind: "user", id: author, name: author } as const;
  const at = new Date(Date.UTC(2026, 10, 21, 12, 0, seq)).toISOString();
  return { table, title: `INC${seq}`, change: { seq, kind, record: `r${seq}`, set: {}, by, at } };
}

describe("groupRuns", () => {
  it("joins records that one author added in a row, and returns the newest", () => {
    const items = [3, 2, 1].map((seq) => buildItem(seq, "a", "insert"));
    expect(groupRuns(items)).toMatchObject([{ count: 3, item: { title: "INC3" } }]);
  });
  it("does not join updates, changes of other authors, and later changes", () => {
    const items = [
      buildItem(50, "a", "insert"),
      buildItem(30, "a", "insert"),
      buildItem(29, "b", "insert"),
      buildItem(28, "b", "update"),
      buildItem(27, "b", "update"),
    ];
    expect(groupRuns(items).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1]);
  });
});
