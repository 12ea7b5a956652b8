import { expect, test } from "vitest";
import type { RecordView } from "../../../state/record-view.ts";
import { cellWords, rowWord } from "./cell-words.ts";

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

test("a cell says in words what its colour says", () => {
  expect(cellWords(undefined)).toBe("");
  expect(cellWords({ kind: "pending", edit })).toBe("Not saved yet");
  const conflict = { kind: "conflict", edit, base: 1, mine: 2, theirs: 3, at: null } as const;
  expect(cellWords({ ...conflict, by: { kind: "user", id: "a", name: "Ana" } })).toContain("Ana");
  expect(cellWords({ ...conflict, by: null })).toContain("somebody");
  const refused = { kind: "rejected", edit, mine: 1, code: "forbidden", message: "No." } as const;
  expect(cellWords(refused)).toContain("No.");
});

test("a row that is simply where it belongs says nothing", () => {
  expect(rowWord(row)).toBeNull();
});

test("a row out of place says why, and by whom it was deleted", () => {
  expect(rowWord({ ...row, mark: "moved" })).toBe("moved");
  expect(rowWord({ ...row, mark: "gone" })).toBe("no longer in this view");
  expect(rowWord({ ...row, mark: "deleted" })).toBe("deleted");
  expect(rowWord({ ...row, mark: "deleted", markedBy: "Ana" })).toBe("deleted by Ana");
});

test("what I did myself is told before what others did", () => {
  expect(rowWord({ ...row, pending: "create" })).toBe("new, not saved yet");
  expect(rowWord({ ...row, pending: "delete", mark: "moved" })).toBe("being deleted");
  const problem = { edit, code: "duplicate", message: "Used already.", detail: {} };
  expect(rowWord({ ...row, pending: "create", problem })).toBe("not accepted");
});
