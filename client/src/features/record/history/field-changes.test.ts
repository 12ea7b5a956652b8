import { expect, it } from "vitest";
import type { HistoryEntry } from "../../../../../shared/protocol/records.ts";
import { fieldChanges } from "./field-changes.ts";

const entry = (seq: number, more: Partial<HistoryEntry>): HistoryEntry => ({
  ...{ seq, kind: "update", at: "2026-11-22T10:00:00Z", fields: {} },
  by: { kind: "user", id: "u1", name: "Kofi" },
  ...more,
});

it("finds the changes of a field, without those that left it as it was, and with erased ones", () => {
  const entries = [
    entry(5, { fields: { title: { before: "b", after: "c" } } }),
    entry(4, { fields: { notes: { before: null, after: "n" } } }),
    entry(3, { fields: { title: { before: null, after: null } }, erased: ["title"] }),
    entry(1, { kind: "insert", fields: { title: { before: null, after: "a" } } }),
  ];
  const found = fieldChanges(entries, "title");
  expect(found.map(({ entry: { seq }, before, isErased }) => [seq, before, isErased])).toEqual([
    [5, "b", false],
    [3, null, true],
    [1, null, false],
  ]);
});
