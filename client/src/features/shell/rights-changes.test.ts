import { expect, test } from "vitest";
import { defaultLimits } from "../../../../shared/limits.ts";
import type { Model, Table } from "../../../../shared/model/model.ts";
import type { AccountData } from "../../state/account.ts";
import { describeRightsChange } from "./rights-changes.ts";

const table = (name: string, fields: string[]): Table => ({
  name,
  label: name.toUpperCase(),
  recordLabel: name,
  display: "a",
  fields: fields.map((field) => ({ name: field, label: field.toUpperCase(), type: "text" })),
  columns: [],
  sort: [],
});
const user = { id: "u", name: "U", colour: "red", email: "u@example.com", attributes: {} };
function accountOf(tables: Table[], role = "r", version = 1): AccountData {
  const model: Model = { version, tables };
  const session = {
    user: { ...user, role, roleName: `Role ${role}` },
    abilities: { rights: [], tables: {} },
    limits: defaultLimits,
    expires: "",
  };
  return { model, session };
}
const both = [table("jobs", ["a", "b"]), table("people", ["a"])];

test("fields and tables that go or come are named, a table once for all of its fields", () => {
  const less = [table("jobs", ["a"])];
  const text = "You may no longer see B of JOBS and PEOPLE.";
  expect(describeRightsChange(accountOf(both), accountOf(less))).toBe(text);
  expect(describeRightsChange(accountOf(less, "r"), accountOf(both, "s"))).toBe(
    "Your role is now Role s. You may now see B of JOBS and PEOPLE.",
  );
});

test("nothing is said where nothing changed, and of a new model", () => {
  expect(describeRightsChange(accountOf(both), accountOf(both))).toBeNull();
  expect(describeRightsChange(accountOf(both), accountOf([], "r", 2))).toBeNull();
});

test("of many fields a few are named", () => {
  const many = [table("jobs", ["a", "b", "c", "d", "e", "f", "g"])];
  const text = describeRightsChange(accountOf(many), accountOf([table("jobs", ["a"])]));
  expect(text).toBe("You may no longer see B of JOBS, C of JOBS, D of JOBS, E of JOBS and 2 more.");
});
