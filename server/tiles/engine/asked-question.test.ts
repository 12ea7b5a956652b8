import { describe, expect, it } from "vitest";
import type { Table } from "../../../shared/model/model.ts";
import type { LogChange } from "../../store/log-change.ts";
import type { RecentQuestion } from "../plan/question.ts";
import { AskedQuestion } from "./asked-question.ts";

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

const question: RecentQuestion = {
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

function valuesTold(change: LogChange) {
  const asked = new AskedQuestion("key", question, table, 0);
  asked.takeChanges([change], 0);
  const answer = asked.answer();
  return answer.kind === "recent" ? answer.changes.map(({ kind, values }) => [kind, values]) : [];
}

describe("T3 what an activity feed tells of a record", () => {
  it("that is carried out of sight is what it was before, and nothing of what it became", () => {
    const after = { title: "Not for you", group: "Desktop" };
    const change: LogChange = { ...base, kind: "update", before, after };
    expect(valuesTold(change)).toEqual([["delete", { title: "Seen" }]]);
  });

  it("that comes into sight is what it became, and nothing of what it was", () => {
    const were = { title: "Not for you", group: "Desktop" };
    const change: LogChange = { ...base, kind: "update", before: were, after: before };
    expect(valuesTold(change)).toEqual([["insert", { title: "Seen" }]]);
  });

  it("that is removed is what it was", () => {
    const change: LogChange = { ...base, kind: "delete", before, after: null };
    expect(valuesTold(change)).toEqual([["delete", { title: "Seen" }]]);
  });
});
