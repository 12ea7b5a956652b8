import { describe, expect, it } from "vitest";
import { builtInRoles } from "../../../../shared/policy/role.ts";
import { mayChange, rolesFor } from "./offered-roles.ts";

function ids(me: string, present?: string): string[] {
  return rolesFor({ role: me }, builtInRoles, present).map((role) => role.id);
}

describe("the roles offered for a user", () => {
  it("are all but the display's to an owner", () => {
    expect(ids("owner")).toEqual(["owner", "admin", "editor", "viewer"]);
  });
  it("leave out Owner to an admin, except where the user is one", () => {
    expect(ids("admin")).toEqual(["admin", "editor", "viewer"]);
    expect(ids("admin", "owner")).toContain("owner");
  });
});

describe("changing a user", () => {
  it("is an owner's matter where the user is an owner", () => {
    expect(mayChange({ role: "admin" }, { role: "owner" })).toBe(false);
    expect(mayChange({ role: "owner" }, { role: "owner" })).toBe(true);
    expect(mayChange({ role: "admin" }, { role: "editor" })).toBe(true);
  });
});
