import { describe, expect, it } from "vitest";
import type { Model, Table } from "../../../../shared/model/model.ts";
import { abilitiesOf } from "../../../../shared/policy/abilities.ts";
import { builtInRoles, type Role } from "../../../../shared/policy/role.ts";
import { administrationLinks, readableTables } from "./navigation.ts";

const model: Model = { version: 1, tables: [buildTable("incidents"), buildTable("salaries")] };

function buildTable(name: string): Table {
  return {
    name,
    label: name,
    recordLabel: "record",
    display: "title",
    columns: ["title"],
    sort: [],
    fields: [{ name: "title", label: "Title", type: "text" }],
  };
}

function buildRole(id: string): Role {
  return builtInRoles.find((role) => role.id === id) as Role;
}

function abilities(role: Role) {
  return abilitiesOf({ id: "1", role, attributes: {} }, model);
}

describe("what the sidebar offers", () => {
  it("is every table to an editor, and no administration", () => {
    const mine = abilities(buildRole("editor"));
    expect(readableTables(model, mine).map((t) => t.name)).toEqual(["incidents", "salaries"]);
    expect(administrationLinks(mine, "editor")).toEqual([]);
  });

  it("leaves out a table that the role may not read", () => {
    const role: Role = {
      id: "r",
      name: "R",
      rights: ["users"],
      grants: { "*": { read: true }, salaries: {} },
    };
    expect(readableTables(model, abilities(role)).map((t) => t.name)).toEqual(["incidents"]);
    expect(administrationLinks(abilities(role), "r").map((l) => l.href)).toEqual(["/admin/users"]);
  });

  it("is how users sign in to owners alone, whom the server allows it", () => {
    const links = (role: string) =>
      administrationLinks(abilities(buildRole(role)), role).map(({ href }) => href);
    expect(links("owner")).toContain("/admin/sign-in");
    expect(links("admin")).toContain("/admin/users");
    expect(links("admin")).not.toContain("/admin/sign-in");
  });

  it("is nothing at all to a display", () => {
    const mine = abilities(buildRole("display"));
    expect(readableTables(model, mine)).toEqual([]);
    expect(administrationLinks(mine, "display")).toEqual([]);
  });
});
