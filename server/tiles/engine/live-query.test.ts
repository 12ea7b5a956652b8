import { describe, expect, it } from "vitest";
import type { Table } from "../../../shared/model/model.ts";
import type { LogChange } from "../../store/log-change.ts";
import type { RecentChangesQuery } from "../plan/tile-query.ts";
import { LiveQuery } from "./live-query.ts";

const table: Table = {
  name: "incidents",
  label: "Incidents",
  recordLabel: "incident",
  display: "title",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "group", label: "Group", type: "text" },
  ],
  columns: ["title"],
  sort: [],
};

const query: RecentChangesQuery = {
  kind: "recent",
  model: 1,
  table: "incidents",
  scope: { field: "group", op: "eq", value: "Network" },
  filter: null,
  me: null,
  zone: "UTC",
  limit: 5,
  fields: ["title"],
  visible: ["title", "group"],
};

const by = { kind: "user" as const, id: "u1", name: "Ann" };
const base = { seq: 7, record: "i1", by, at: "2026-11-21T04:00:00.123456Z" };
const before = { title: "Seen", group: "Network" };

function recentValues(change: LogChange) {
  const live = new LiveQuery("key", query, table, 0);
  live.takeChanges([change], 0);
  const answer = live.result();
  return answer.kind === "recent" ? answer.changes.map(({ kind, values }) => [kind, values]) : [];
}

describe("T3 an activity feed shows of a record", () => {
  it("that leaves the scope its former values, and nothing of the new ones", () => {
    const after = { title: "Not for you", group: "Desktop" };
    const change: LogChange = { ...base, kind: "update", before, after };
    expect(recentValues(change)).toEqual([["delete", { title: "Seen" }]]);
  });

  it("that enters the scope its new values, and nothing of the former ones", () => {
    const were = { title: "Not for you", group: "Desktop" };
    const change: LogChange = { ...base, kind: "update", before: were, after: before };
    expect(recentValues(change)).toEqual([["insert", { title: "Seen" }]]);
  });

  it("that is removed its last values", () => {
    const change: LogChange = { ...base, kind: "delete", before, after: null };
    expect(recentValues(change)).toEqual([["delete", { title: "Seen" }]]);
  });
});
