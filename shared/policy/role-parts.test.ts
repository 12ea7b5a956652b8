import { expect, test } from "vitest";
import type { Filter } from "../filter/filter.ts";
import { formOf, grantPart, mergeParts, partsOf, type RoleForm } from "./role-parts.ts";

const mine: Filter = { field: "group", op: "eq", value: "$me.group" };
const role: RoleForm = {
  name: "Desk",
  rights: ["users", "activity"],
  grants: { "*": {}, incidents: { read: { filter: mine, hide: ["caller"] }, create: true } },
};
const changed = (edit: (role: RoleForm) => void): RoleForm => {
  const copy = JSON.parse(JSON.stringify(role)) as RoleForm;
  edit(copy);
  return copy;
};
const merge = (a: RoleForm, b: RoleForm) => {
  const { merged, clashes } = mergeParts(partsOf(role), partsOf(a), partsOf(b));
  return { merged: formOf(merged), clashes };
};

test("a role is the sum of its parts, an empty grant of its own included", () => {
  expect(formOf(partsOf(role))).toEqual(role);
});

test("two who change different parts both win", () => {
  const one = changed(({ rights, grants }) => {
    rights.push("roles");
    grants.groups = { read: true };
  });
  const two = changed((copy) => {
    copy.rights = ["activity"];
    copy.name = "Front desk";
    copy.grants.incidents = { ...copy.grants.incidents, create: false, history: true };
  });
  const { merged, clashes } = merge(one, two);
  expect(clashes).toEqual([]);
  expect(merged.name).toBe("Front desk");
  expect(merged.rights.sort()).toEqual(["activity", "roles"]);
  expect(merged.grants).toEqual({ ...two.grants, groups: { read: true } });
});

test("two who change the same part clash, unless they want the same; the order of keys is no change", () => {
  const shut = changed(({ grants }) => {
    grants.incidents = { create: true, read: false };
  });
  const open = changed(({ grants }) => {
    grants.incidents = { create: true, read: true };
  });
  const same = changed(({ grants }) => {
    grants.incidents = { create: true, read: { hide: ["caller"], filter: mine } };
  });
  expect(merge(shut, open).clashes).toEqual([grantPart("incidents", "read")]);
  expect(merge(shut, open).merged.grants.incidents?.read).toBe(true);
  expect(merge(shut, shut).clashes).toEqual([]);
  expect(merge(same, open).clashes).toEqual([]);
  expect(merge(shut, same).clashes).toEqual([]);
});

test("a table taken out of the role clashes with a right changed on it", () => {
  const without = changed(({ grants }) => {
    delete grants.incidents;
  });
  const more = changed(({ grants }) => {
    grants.incidents = { ...grants.incidents, history: true };
  });
  expect(merge(more, without).clashes).toEqual([grantPart("incidents", "history")]);
  expect(merge(without, more).clashes).toContain(grantPart("incidents"));
  expect(merge(without, without).clashes).toEqual([]);
});
