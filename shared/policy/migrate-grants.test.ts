import { describe, expect, it } from "vitest";
import { assignIdentities } from "../model/assign-identities.ts";
import type { Field, Model, Table } from "../model/model.ts";
import { withRemovedTables } from "../model/removed-names.ts";
import { migrateGrants } from "./migrate-grants.ts";
import { grantOn, type Role } from "./role.ts";
import { scopeOf } from "./scope.ts";

const none: Model = { version: 0, tables: [] };
const unused = { tables: [], fields: {} };
const field = (name: string): Field => ({ name, label: name, type: "text" });
const users: Table = {
  name: "users",
  label: "People",
  recordLabel: "person",
  display: "name",
  fields: [field("name"), field("salary"), field("team")],
  columns: [],
  sort: [],
};
const first = assignIdentities(none, { version: 1, tables: [users] }, unused);
const grants: Role["grants"] = {
  "*": { read: true },
  users: {
    read: { hide: ["salary"], filter: { field: "team", op: "eq", value: { field: "name" } } },
    update: { fields: ["team"] },
  },
};

function next(from: Model, edit: (table: Table, model: Model) => void): Model {
  const wanted = JSON.parse(JSON.stringify(from)) as Model;
  edit(wanted.tables[0] as Table, wanted);
  return assignIdentities(from, wanted, unused);
}
const called = (name: string, table: Table) =>
  table.fields.find((one) => one.name === name) as Field;
const visible = (of: Role["grants"], model: Model, at = 0) => {
  const role = { id: "r", name: "R", rights: [], grants: of };
  return scopeOf({ id: "u", role, attributes: {} }, model.tables[at] as Table)?.fields;
};

describe("migrated grants", () => {
  it("hide a renamed field, also if another takes its old name", () => {
    const renamed = next(first, (table) => {
      called("salary", table).name = "pay";
    });
    const migrated = migrateGrants(grants, first, renamed);
    expect(visible(migrated, renamed)).toEqual(["name", "team"]);
    const reused = next(renamed, (table) => table.fields.push(field("salary")));
    expect(visible(migrateGrants(migrated, renamed, reused), reused)).not.toContain("pay");
  });

  it("hide the same field if two swap their names, before and after servers load the model", () => {
    const swapped = next(first, (table) => {
      const [a, b] = [called("salary", table), called("team", table)];
      [a.name, b.name] = ["team", "salary"];
    });
    const migrated = migrateGrants(grants, first, swapped);
    expect(visible(migrated, swapped)).toEqual(["name"]);
    expect(visible(migrated, first)).not.toContain("salary");
  });

  it("hide what was computed or derived from a hidden field, also once users fill it", () => {
    const made = next(first, (table) => {
      table.fields.push({ ...field("yearly"), expression: 'salary & "!"' });
      table.fields.push({ ...field("grade"), derive: { fields: ["salary"], values: {} } });
    });
    expect(visible(grants, made)).toEqual(["name", "team"]);
    const freed = next(made, (table) => {
      delete called("yearly", table).expression;
      delete called("grade", table).derive;
    });
    const migrated = migrateGrants(grants, made, freed);
    expect(visible(migrated, freed)).toEqual(["name", "team"]);
    // What is computed from now on reveals nothing, and what was is not in the history any more.
    const recomputed = next(made, (table) => {
      called("yearly", table).expression = 'team & "!"';
    });
    expect(visible(migrateGrants(grants, made, recomputed), recomputed)).toEqual([
      "name",
      "team",
      "yearly",
    ]);
  });

  it("filter rows and allow edits by the field, not by its name", () => {
    const renamed = next(first, (table) => {
      called("team", table).name = "squad";
      called("name", table).name = "full name";
    });
    const { read, update } = migrateGrants(grants, first, renamed).users ?? {};
    const filter = { field: "squad", op: "eq", value: { field: "full name" } };
    expect([read, update]).toEqual([{ hide: ["salary"], filter }, { fields: ["squad"] }]);
  });

  it("follow a renamed table, also if another takes its old name", () => {
    const renamed = next(first, (table) => {
      table.name = "staff";
    });
    const migrated = migrateGrants(grants, first, renamed);
    expect(visible(migrated, renamed)).not.toContain("salary");
    const reused = next(renamed, (_, model) => {
      model.tables.push({ ...users, fields: [field("x")], display: "x" });
    });
    const again = migrateGrants(migrated, renamed, reused);
    expect(visible(again, reused)).not.toContain("salary");
    const role = { id: "r", name: "R", rights: [], grants: again };
    expect(grantOn(role, reused.tables[1] as Table)).toEqual({ read: true });
  });

  it("are unchanged if nothing they name has changed", () => {
    const more = next(first, (table) => table.fields.push(field("city")));
    expect(migrateGrants(grants, first, more)).toEqual(grants);
  });

  it("do not apply to another table that takes the name of a removed one", () => {
    const removed = next(first, (_, model) => {
      model.tables = [];
    });
    const migrated = migrateGrants(grants, first, removed);
    const remade = assignIdentities(
      removed,
      { version: 2, tables: [{ ...users, fields: [field("salary")] }] },
      { tables: ["users"], fields: {} },
    );
    expect(migrateGrants(migrated, removed, remade)).toEqual({ "*": { read: true } });
    const known = withRemovedTables(removed, [{ table: first.tables[0] as Table, fields: [] }]);
    expect(Object.keys(migrateGrants(migrated, known, remade))).toEqual(["*", "users, removed"]);
    const renamed = next(first, (table) => {
      table.name = "staff";
    });
    const both = assignIdentities(renamed, { version: 3, tables: [users] }, unused);
    const apart = migrateGrants(migrateGrants(grants, first, renamed), renamed, both);
    expect(Object.keys(apart)).toEqual(["*", "users, removed"]);
  });

  it("apply again to a table that is restored, under any names, also if another has its name", () => {
    const withPay = next(first, (table) => table.fields.push(field("pay")));
    const hiding = { ...grants, users: { read: { hide: ["salary", "pay"] } } };
    const [users] = withPay.tables as [Table];
    const last = { ...users, fields: users.fields.filter(({ name }) => name !== "pay") };
    const ended = { table: last, fields: [called("pay", users)] };
    const removed = { version: 2, tables: [] };
    const used = { tables: ["users"], fields: { users: users.fields.map(({ id = "" }) => id) } };
    const restored = (from: Model, name: string) => {
      const fields = users.fields.map((one) => ({ ...one, name: `${one.name} again` }));
      const table = { ...users, name, fields, display: "name again" };
      return assignIdentities(from, { version: 4, tables: [...from.tables, table] }, used);
    };
    const shown = ["name again", "team again"];
    const known = (model: Model) => withRemovedTables(model, [ended]);
    const ending = migrateGrants(hiding, { version: 1, tables: [last] }, removed);
    for (const name of ["users", "people"]) {
      const back = restored(removed, name);
      const migrated = migrateGrants(ending, known(removed), back);
      expect([name, visible(migrated, back)]).toEqual([name, shown]);
      expect(Object.keys(migrated)).toEqual(["*", name]);
    }
    const other = { ...first.tables[0], fields: [field("salary")], display: "salary", id: "other" };
    const taken = { version: 3, tables: [other as Table] };
    const apart = migrateGrants(ending, known(removed), taken);
    expect(visible(apart, taken)).toEqual(["salary"]);
    const back = restored(taken, "people");
    const migrated = migrateGrants(apart, known(taken), back);
    expect([visible(migrated, back, 0), visible(migrated, back, 1)]).toEqual([["salary"], shown]);
  });

  it("do not apply to a new field that takes the name of a removed one", () => {
    const team = {
      users: {
        read: { filter: { field: "team", op: "ne" as const, value: "x" } },
        update: { fields: ["team", "name"] },
      },
    };
    const removed = next(first, (table) => {
      table.fields = table.fields.filter(({ name }) => name !== "team");
    });
    const migrated = migrateGrants(team, first, removed);
    expect(migrated).toEqual(team);
    const used = { tables: [], fields: { users: ["team"] } };
    const wanted = JSON.parse(JSON.stringify(removed)) as Model;
    wanted.tables[0]?.fields.push(field("team"));
    const remade = assignIdentities(removed, wanted, used);
    expect(migrateGrants(migrated, removed, remade)).toEqual({
      users: { read: { filter: { or: [] } }, update: { fields: ["name"] } },
    });
  });

  it("follow a replaced option, and match no additional records by it", () => {
    const options = (...values: (string | [string, string[]])[]) =>
      values.map((one) =>
        typeof one === "string" ? { value: one } : { value: one[0], formerly: one[1] },
      );
    const withOptions = (all: ReturnType<typeof options>) => (table: Table) => {
      Object.assign(called("team", table), { type: "select", options: all });
    };
    const before = next(first, withOptions(options("secret", "open", "old")));
    const filters = (is: string, not: string) => ({
      users: {
        read: {
          filter: {
            and: [
              { field: "team", op: "eq" as const, value: is },
              { field: "team", op: "nin" as const, value: [not] },
            ],
          },
        },
      },
    });
    const renamed = next(before, withOptions(options(["hidden", ["secret"]], "open", "old")));
    expect(migrateGrants(filters("secret", "secret"), before, renamed)).toEqual(
      filters("hidden", "hidden"),
    );
    const merged = next(before, withOptions(options(["open", ["secret"]], "old")));
    expect(migrateGrants(filters("secret", "secret"), before, merged)).toEqual(
      filters("secret", "open"),
    );
  });
});
