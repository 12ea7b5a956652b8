import { describe, expect, it } from "vitest";
import type { Table } from "../../../shared/model/model.ts";
import type { LogChange } from "../../store/log-change.ts";
import type { MeasureQuery, RecentChangesQuery } from "../plan/tile-query.ts";
import { LiveQuery } from "./live-query.ts";

const table: Table = {
  name: "incidents",
  label: "Incidents",
  recordLabel: "incident",
  display: "title",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "group", label: "Group", type: "text" },
    { name: "opened_at", label: "Opened", type: "timestamp" },
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
const base = { seq: 7, record: "i1", entry: 11, by, at: "2026-11-21T04:00:00.123456Z" };
const before = { title: "Seen", group: "Network" };

function recentValues(change: LogChange) {
  const live = new LiveQuery("key", query, table, 0);
  live.setChanges([change], 0);
  const answer = live.result();
  return answer.kind === "recent" ? answer.changes.map(({ kind, values }) => [kind, values]) : [];
}

describe("T3 an activity feed shows of a record", () => {
  it("that leaves the scope its former values, and none of the new ones", () => {
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

describe("a tile whose filter uses the clock, and whose value can only be read again", () => {
  it("takes only changes of its own records for its last change", () => {
    const { limit: _, fields: __, visible: ___, ...shared } = query;
    const filter = { field: "opened_at", op: "gte", value: "$today" } as const;
    const measure: MeasureQuery = {
      ...{ ...shared, kind: "figures", filter, op: "distinct", field: "title" },
      ...{ percentile: 50, group: null, time: null },
    };
    const now = Date.parse("2026-11-21T05:00:00Z");
    const rows = [{ key: null, bucket: null, n: 1, filled: 1, sum: null, value: 1 }];
    const read = { now, bounds: null, others: null, rows, records: null, wakeAt: null, costMs: 1 };
    const live = new LiveQuery("key", measure, table, now);
    const apply = (group: string, at: string) => {
      live.setReading(read);
      const after = { title: "New", group, opened_at: "2026-11-21T04:00:00Z" };
      live.apply({ ...base, kind: "insert", before: null, after, at });
      return [live.isStale, live.changedAt];
    };
    expect(apply("Desktop", "2026-11-21T04:00:00Z")).toEqual([true, null]);
    expect(apply("Network", "2026-11-21T04:10:00Z")).toEqual([true, "2026-11-21T04:10:00Z"]);
    expect(apply("Desktop", "2026-11-21T04:20:00Z")).toEqual([true, "2026-11-21T04:10:00Z"]);
  });
});

describe("a tile whose value can only be read again", () => {
  const { limit: _, fields: __, visible: ___, ...shared } = query;
  const filter = { field: "opened_at", op: "lt", value: "$now" } as const;
  const distinct: MeasureQuery = {
    ...{ ...shared, kind: "figures", filter, op: "distinct", field: "title" },
    ...{ percentile: 50, group: null, time: null },
  };
  const wide: Table = {
    ...table,
    fields: [...table.fields, { name: "notes", label: "Notes", type: "text" }],
  };
  const now = Date.parse("2026-11-21T05:00:00Z");
  const rows = [{ key: null, bucket: null, n: 1, filled: 1, sum: null, value: 1 }];
  const stored = { title: "Seen", group: "Network", opened_at: "2026-11-21T04:00:00Z", notes: "a" };

  it.each([
    ["is read again after an edit of its field", { title: "Was" }, true],
    ["is read again after an edit of a field of its filter", { opened_at: null }, true],
    ["is read again after an edit of a field of its reader's rights", { group: "Desktop" }, true],
    [
      "is not read again after an edit of another field, which is its last change",
      { notes: "b" },
      false,
    ],
  ] as const)("%s", (_title, before, isStale) => {
    const live = new LiveQuery("key", distinct, wide, now);
    live.setReading({
      now,
      bounds: null,
      others: null,
      rows,
      records: null,
      wakeAt: null,
      costMs: 1,
    });
    const change: LogChange = { ...base, kind: "update", before, after: stored };
    expect(live.mayConcern(change)).toBe(isStale);
    live.apply(change);
    expect([live.isStale, live.changedAt]).toEqual([isStale, base.at]);
  });
});
