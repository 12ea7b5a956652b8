import { expect, test } from "vitest";
import { authorWords, entryVerb } from "./history-words.ts";

test("people are named, other programs are said to be programs", () => {
  expect(authorWords({ by: { kind: "user", id: "u1", name: "Ana" } })).toBe("Ana");
  expect(authorWords({ by: { kind: "external", id: "psql", name: "psql" } })).toBe(
    "psql (another program)",
  );
  expect(authorWords({ by: { kind: "external", id: "", name: "external" } })).toBe(
    "Another program",
  );
  expect(authorWords({ by: { kind: "system", id: "", name: "" } })).toBe("Watchfloor");
});

test("a transition is told by its name", () => {
  expect(entryVerb({ kind: "update", transition: "resolve" }, "incident")).toBe("ran “resolve”");
  expect(entryVerb({ kind: "update" }, "incident")).toBe("changed");
  expect(entryVerb({ kind: "delete" }, "incident")).toBe("deleted this incident");
});
