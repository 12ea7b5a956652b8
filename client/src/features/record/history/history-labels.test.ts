import { expect, test } from "vitest";
import { authorLabel, entryText } from "./history-labels.ts";

test("authorLabel names users, and marks other programs", () => {
  expect(authorLabel({ by: { kind: "user", id: "u1", name: "Ana" } })).toBe("Ana");
  expect(authorLabel({ by: { kind: "external", id: "psql", name: "psql" } })).toBe(
    "psql (another program)",
  );
  expect(authorLabel({ by: { kind: "external", id: "", name: "external" } })).toBe(
    "Another program",
  );
  expect(authorLabel({ by: { kind: "system", id: "", name: "" } })).toBe("Watchfloor");
});

test("entryText names the state that a transition led to, or the transition if the model no longer has it", () => {
  const transitions = [{ name: "activate", label: "Start work", from: ["New"], to: "Active" }];
  const options = [{ value: "Active", label: "In progress" }];
  const table = {
    ...{ recordLabel: "incident", stateField: "state" },
    fields: [{ name: "state", label: "State", type: "select" as const, options }],
    workflow: { states: [], transitions },
  };
  const textOf = (entry: Parameters<typeof entryText>[0], fields: string[] = []) =>
    entryText(entry, table, fields).replace("<author></author>", "Ana");
  expect(textOf({ kind: "update", transition: "activate" })).toBe(
    "Ana moved this incident to In progress",
  );
  expect(textOf({ kind: "update", transition: "resolve" })).toBe("Ana changed the state: resolve");
  expect(textOf({ kind: "update" }, ["Title", "Notes"])).toBe("Ana changed Title and Notes");
  expect(textOf({ kind: "update" }, ["A", "B", "C"])).toBe("Ana changed 3 fields");
  expect(textOf({ kind: "delete" })).toBe("Ana deleted this incident");
});
