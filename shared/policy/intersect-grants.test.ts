import { describe, expect, test } from "vitest";
import type { Table } from "../model/model.ts";
import { intersectGrants } from "./intersect-grants.ts";
import { mayRun } from "./possible-transitions.ts";
import { builtInRoles, grantOn, narrowRole, others, type Role } from "./role.ts";
import { scopeOf } from "./scope.ts";
import { transitionAuthorOf } from "./transition-author.ts";

const mine = { field: "assignee", op: "eq", value: "$me" } as const;
const ours = { field: "group", op: "eq", value: "$me.group" } as const;
const field = (name: string) => ({ id: name, name, label: name, type: "text" }) as const;
const table = {
  id: "t",
  name: "tickets",
  formerly: ["incidents"],
  label: "Tickets",
  recordLabel: "ticket",
  fields: [field("title"), field("caller"), field("group"), field("state")],
  workflow: {
    transitions: [
      { name: "approve", label: "Approve", from: ["New"], to: "Done", roles: ["admin"] },
    ],
  },
} as unknown as Table;
const role = (id: string, grants: Role["grants"], rights: Role["rights"] = []): Role => ({
  id,
  name: id,
  rights,
  grants,
});
const builtIn = (id: string) => builtInRoles.find((one) => one.id === id) as Role;

describe("the intersection of two grants", () => {
  test("holds the records of both filters and hides what either hides", () => {
    const one = { read: { filter: mine, hide: ["caller"] } };
    const other = { read: { filter: ours, hide: ["group", "caller"] } };
    expect(intersectGrants(one, other).read).toEqual({
      filter: { and: [mine, ours] },
      hide: ["caller", "group"],
    });
    expect(intersectGrants(one, { read: true }).read).toEqual(one.read);
    expect(intersectGrants(one, {}).read).toBe(false);
  });

  test("writes the fields that both may write; without a list all are", () => {
    const one = { update: { fields: ["title", "group"] }, delete: { filter: mine } };
    expect(intersectGrants(one, { update: { filter: ours, fields: ["group"] } }).update).toEqual({
      filter: ours,
      fields: ["group"],
    });
    expect(intersectGrants(one, { update: { filter: ours } }).update).toEqual({
      filter: ours,
      fields: ["title", "group"],
    });
    expect(intersectGrants(one, { delete: true }).delete).toEqual({ filter: mine });
  });

  test("runs the transitions that both may run, and nothing that only one of them may do", () => {
    const rights = { create: true, createInAnyState: true, export: true, history: true };
    const one = { transitions: ["a", "b"], ...rights, comment: true };
    const other = { transitions: ["b", "c"], create: true };
    const both = {
      transitions: ["b"],
      create: true,
      createInAnyState: false,
      export: false,
      history: false,
      comment: false,
    };
    expect(intersectGrants(one, other)).toMatchObject(both);
    expect(intersectGrants(other, one)).toMatchObject(both);
    expect(intersectGrants(one, { transitions: true }).transitions).toEqual(["a", "b"]);
  });
});

describe("a role within another", () => {
  test("is resolved by the names of today on both sides", () => {
    const own = role("own", { tickets: { read: true }, "*": {} });
    const creator = role("creator", {
      incidents: { read: { hide: ["caller"] } },
      "*": { read: true },
    });
    const narrow = narrowRole(own, creator);
    expect(grantOn(narrow, table).read).toEqual({ hide: ["caller"] });
    expect(others(narrow).read).toBe(false);
    const scope = scopeOf({ id: "u", role: narrow, attributes: {} }, table);
    expect(scope?.fields).toEqual(["title", "group", "state"]);
  });

  test("has the administrative rights of both", () => {
    const own = role("own", {}, ["model", "users"]);
    expect(narrowRole(own, role("creator", {}, ["users", "roles"])).rights).toEqual(["users"]);
    expect(narrowRole(builtIn("owner"), builtIn("viewer")).rights).toEqual([]);
  });

  test("runs a transition that names roles only if it names both", () => {
    const [approve] = table.workflow?.transitions ?? [];
    const authorOf = (own: string, creator: string) => {
      const narrow = narrowRole(builtIn(own), builtIn(creator));
      const subject = { id: "u", role: narrow, attributes: {} };
      return transitionAuthorOf(
        subject,
        table,
        {
          table: "tickets",
          filter: null,
          fields: [],
          hidesNothing: true,
        },
        "UTC",
      );
    };
    const runs = (own: string, creator: string) => mayRun(approve as never, authorOf(own, creator));
    expect(runs("admin", "admin")).toBe(true);
    expect(runs("admin", "editor")).toBe(false);
    expect(runs("editor", "admin")).toBe(false);
  });
});
