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
    textOrder: "en",
    expires: "",
  };
  return { model, session };
}
const both = [table("jobs", ["a", "b"]), table("people", ["a"])];

test("describeRightsChange names lost and gained fields, and a table instead of all its fields", () => {
  const less = [table("jobs", ["a"])];
  const text = "You no longer have access to B of JOBS and PEOPLE.";
  expect(describeRightsChange(accountOf(both), accountOf(less))).toBe(text);
  expect(describeRightsChange(accountOf(less, "r"), accountOf(both, "s"))).toBe(
    "Your role is now Role s. You now have access to B of JOBS and PEOPLE.",
  );
});

test("describeRightsChange returns null without a change and for a new model version", () => {
  expect(describeRightsChange(accountOf(both), accountOf(both))).toBeNull();
  expect(describeRightsChange(accountOf(both), accountOf([], "r", 2))).toBeNull();
});

test("describeRightsChange names at most four fields", () => {
  const many = [table("jobs", ["a", "b", "c", "d", "e", "f", "g"])];
  const text = describeRightsChange(accountOf(many), accountOf([table("jobs", ["a"])]));
  expect(text).toBe(
    "You no longer have access to B of JOBS, C of JOBS, D of JOBS, E of JOBS and 2 more.",
  );
});

test("describeRightsChange reads the tables as often for many fields as for few", () => {
  const [few, many] = [readsFor(20), readsFor(60)];
  expect(many).toBe(few);
});

/** How often the tables of an account are read, each time for all their fields, while every second table is lost. */
function readsFor(count: number): number {
  const fields = Array.from({ length: 20 }, (_, field) => `field${field}`);
  const tables = Array.from({ length: count }, (_, at) => table(`table${at}`, fields));
  let reads = 0;
  const counted = ({ model, ...account }: AccountData): AccountData => ({
    ...account,
    model: {
      ...model,
      get tables() {
        reads += 1;
        return model.tables;
      },
    },
  });
  const rest = accountOf(tables.filter((_, at) => at % 2 === 0));
  describeRightsChange(counted(accountOf(tables)), counted(rest));
  return reads;
}
