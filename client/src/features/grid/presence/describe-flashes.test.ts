import { expect, test } from "vitest";
import type { Flash } from "../../../sync/records/flash.ts";
import { describeFlashes } from "./change-announcer.ts";

const labels = {
  field: (name: string) => name.toUpperCase(),
  record: (id: string) => `Printer ${id}`,
};
function flash(record: string, field: string, name: string, mine = false): Flash {
  return { record, field, by: { kind: "user", id: name, name }, mine };
}

test("names one record with its fields, and counts several", () => {
  expect(describeFlashes([flash("r1", "title", "Ana"), flash("r1", "state", "Ana")], labels)).toBe(
    "Ana changed TITLE and STATE on Printer r1.",
  );
  expect(describeFlashes([flash("r1", "a", "Ana"), flash("r2", "a", "Ben")], labels)).toBe(
    "Ana and Ben changed 2 records.",
  );
});

test("names at most two authors", () => {
  const manyAuthors = ["Ana", "Ben", "Eva", "Jo"].map((name, n) => flash(`r${n}`, "a", name));
  expect(describeFlashes(manyAuthors, labels)).toBe("Ana, Ben and 2 more changed 4 records.");
});

test("ignores the user's own changes", () => {
  expect(describeFlashes([flash("r1", "a", "Me", true)], labels)).toBeNull();
});
