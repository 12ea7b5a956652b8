import { expect, test } from "vitest";
import { authorLabel, entryVerb } from "./history-labels.ts";

test("people are named, other programs are said to be programs", () => {
  expect(authorLabel({ by: { kind: "user", id: "u1", name: "Ana" } })).toBe("Ana");
  expect(authorLabel({ by: { kind: "external", id: "psql", name: "psql" } })).toBe(
    "psql (another program)",
  );
  expect(authorLabel({ by: { kind: "external", id: "", name: "external" } })).toBe(
    "Another program",
  );
  expect(authorLabel({ by: { kind: "system", id: "", name: "" } })).toBe("Watchfloor");
});

test("a transition is told as its button is called; by its name once the model has it no more", () => {
  const transitions = [{ name: "activate", label: "Start work", from: ["New"], to: "Active" }];
  const table = { recordLabel: "incident", workflow: { states: [], transitions } };
  expect(entryVerb({ kind: "update", transition: "activate" }, table)).toBe("ran “Start work”");
  expect(entryVerb({ kind: "update", transition: "resolve" }, table)).toBe("ran “resolve”");
  expect(entryVerb({ kind: "update" }, table)).toBe("changed");
  expect(entryVerb({ kind: "delete" }, table)).toBe("deleted this incident");
});
