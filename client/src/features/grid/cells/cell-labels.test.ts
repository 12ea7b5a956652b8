import { expect, test } from "vitest";
import type { RecordView } from "../../../state/record-view.ts";
import { cellStateLabel, rowLabel } from "./cell-labels.ts";

const row: RecordView = {
  id: "r",
  values: {},
  confirmed: null,
  version: "e.1",
  cells: {},
  pending: null,
  problem: null,
  mark: null,
};
const edit = { mutation: "m", index: 0 };

test("cellStateLabel describes what the colour of a cell means", () => {
  expect(cellStateLabel(undefined)).toBe("");
  expect(cellStateLabel({ kind: "pending", edit })).toBe("Not saved yet");
  const conflict = { kind: "conflict", edit, base: 1, mine: 2, theirs: 3, at: null } as const;
  expect(cellStateLabel({ ...conflict, by: { kind: "user", id: "a", name: "Ana" } })).toContain(
    "Ana",
  );
  expect(cellStateLabel({ ...conflict, by: null })).toContain("Someone else");
  const refused = { kind: "rejected", edit, mine: 1, code: "forbidden", message: "No." } as const;
  expect(cellStateLabel(refused)).toContain("No.");
});

test("rowLabel is null for an unmarked row", () => {
  expect(rowLabel(row)).toBeNull();
});

test("rowLabel says why a row is out of place, and who deleted it", () => {
  expect(rowLabel({ ...row, mark: "moved" })).toBe("moved");
  expect(rowLabel({ ...row, mark: "gone" })).toBe("left this view");
  expect(rowLabel({ ...row, mark: "deleted" })).toBe("deleted");
  expect(rowLabel({ ...row, mark: "deleted", markedBy: "Ana" })).toBe("deleted by Ana");
});

test("rowLabel puts the user's own edit before changes of others", () => {
  expect(rowLabel({ ...row, pending: "create" })).toBe("new, not saved yet");
  expect(rowLabel({ ...row, pending: "delete", mark: "moved" })).toBe("being deleted");
  const problem = { edit, code: "duplicate", message: "Used already.", detail: {} };
  expect(rowLabel({ ...row, pending: "create", problem })).toBe("not saved");
});
