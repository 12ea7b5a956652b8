import { expect, test } from "vitest";
import { changeOfAttributes, rowsOfAttributes } from "./attribute-rows.ts";

const before = { group: "Network", sites: ["Bern", "Basel"], level: 3 };

test("sends only changed attributes, so that an untouched number stays a number", () => {
  expect(changeOfAttributes(before, rowsOfAttributes(before))).toEqual({});
  const rows = rowsOfAttributes(before).map((row) =>
    row.name === "sites" ? { ...row, text: "Bern, Basel, Zug" } : row,
  );
  expect(changeOfAttributes(before, rows)).toEqual({ sites: ["Bern", "Basel", "Zug"] });
});

test("sends null for a removed, renamed or emptied attribute, and ignores a row without a name", () => {
  const [group, sites] = rowsOfAttributes(before);
  expect(
    changeOfAttributes(before, [
      { id: 1, name: " team ", text: group?.text ?? "" },
      { id: 2, name: "sites", text: "" },
      { id: 9, name: "", text: "lost" },
    ]),
  ).toEqual({ group: null, level: null, team: "Network", sites: null });
  expect(sites?.text).toBe("Bern, Basel");
});
