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

test("describeRightsChange takes time in proportion to the number of fields", () => {
  const [few, many] = [accountOfSize(100), accountOfSize(400)];
  const repeats = Array.from({ length: 15 });
  const took = repeats.map(() => [millisecondsFor(few), millisecondsFor(many)] as const);
  const ratio = median(took.map(([, ms]) => ms)) / median(took.map(([ms]) => ms));
  // Four times as many fields: 4 where each is looked up, 16 where each is searched for.
  expect(ratio).toBeLessThan(8);
});

const accountOfSize = (count: number) =>
  accountOf(
    Array.from({ length: count }, (_, at) =>
      table(
        `table${at}`,
        Array.from({ length: 20 }, (_, field) => `field${field}`),
      ),
    ),
  );

/** Every second table is lost, so that both lost and other fields are compared. */
function millisecondsFor(account: AccountData): number {
  const rest = accountOf(account.model.tables.filter((_, at) => at % 2 === 0));
  const begun = performance.now();
  describeRightsChange(account, rest);
  return performance.now() - begun;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
