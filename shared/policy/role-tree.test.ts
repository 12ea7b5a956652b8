import { expect, test } from "vitest";
import { merge as mergeTrees } from "../document/merge.ts";
import type { Filter } from "../filter/filter.ts";
import { type RoleForm, rightsInConflict, roleToTree, treeToRole } from "./role-tree.ts";

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
  const trees = [roleToTree(role), roleToTree(a), roleToTree(b)] as const;
  const { merged, conflicts } = mergeTrees(...trees, { choose: () => "theirs" });
  const keys = conflicts.flatMap(rightsInConflict).map(({ key }) => key);
  return { merged: treeToRole(merged), conflicts: keys };
};

test("reads a role back from its tree, including an empty grant", () => {
  expect(treeToRole(roleToTree(role))).toEqual(role);
});

test("merges changes of different parts", () => {
  const one = changed(({ rights, grants }) => {
    rights.push("roles");
    grants.groups = { read: true };
  });
  const two = changed((copy) => {
    copy.rights = ["activity"];
    copy.name = "Front desk";
    copy.grants.incidents = { ...copy.grants.incidents, create: false, history: true };
  });
  const { merged, conflicts } = merge(one, two);
  expect(conflicts).toEqual([]);
  expect(merged.name).toBe("Front desk");
  expect(merged.rights.sort()).toEqual(["activity", "roles"]);
  expect(merged.grants).toEqual({ ...two.grants, groups: { read: true } });
});

test("conflicts on the same part unless both want the same; the order of keys is not a change", () => {
  const shut = changed(({ grants }) => {
    grants.incidents = { create: true, read: false };
  });
  const open = changed(({ grants }) => {
    grants.incidents = { create: true, read: true };
  });
  const same = changed(({ grants }) => {
    grants.incidents = { create: true, read: { hide: ["caller"], filter: mine } };
  });
  expect(merge(shut, open).conflicts).toEqual(["grants/incidents/read"]);
  expect(merge(shut, open).merged.grants.incidents?.read).toBe(true);
  expect(merge(shut, shut).conflicts).toEqual([]);
  expect(merge(same, open).conflicts).toEqual([]);
  expect(merge(shut, same).conflicts).toEqual([]);
});

test("conflicts if one removes a table and the other changes a right on it", () => {
  const without = changed(({ grants }) => {
    delete grants.incidents;
  });
  const more = changed(({ grants }) => {
    grants.incidents = { ...grants.incidents, history: true };
  });
  expect(merge(more, without).conflicts).toEqual(["grants/incidents/history"]);
  expect(merge(without, more).conflicts).toContain("grants/incidents/");
  expect(merge(without, without).conflicts).toEqual([]);
});
