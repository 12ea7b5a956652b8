import { describe, expect, it } from "vitest";
import type { Filter } from "../filter/filter.ts";
import type { Field, Model, Table } from "../model/model.ts";
import { coversRole, coversUser } from "./covers.ts";
import type { AdministrativeRight, Grant, Role } from "./role.ts";
import type { Subject } from "./scope.ts";

const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  type: "text",
  ...more,
});
/** Formerly called "incidents", and its field "remarks" formerly "notes". */
const tickets: Table = {
  name: "tickets",
  formerly: ["incidents"],
  label: "Tickets",
  recordLabel: "ticket",
  display: "title",
  fields: [
    field("title"),
    field("remarks", { formerly: ["notes"] }),
    field("team"),
    field("rank", { derive: { fields: ["team"], values: { a: "1" } } }),
    field("state"),
  ],
  stateField: "state",
  columns: [],
  sort: [],
};
const model: Model = { version: 2, tables: [tickets] };

function role(grants: Role["grants"], rights: AdministrativeRight[] = [], id = "r"): Role {
  return { id, name: id, rights, grants };
}
const user = (of: Role, id: string, attributes: Subject["attributes"] = {}): Subject => ({
  id,
  role: of,
  attributes,
});
const narrow: Grant = { read: { hide: ["notes"] }, update: { fields: ["notes", "title"] } };

describe("a role covers another", () => {
  it("by comparing grants by current table names", () => {
    const mine = role({ "*": { read: true }, incidents: narrow });
    for (const name of ["tickets", "incidents", "*"]) {
      expect(coversRole(mine, role({ [name]: { read: true } }), model)).toBe(false);
    }
    const same: Grant = { read: { hide: ["remarks"] }, update: { fields: ["remarks"] } };
    expect(coversRole(mine, role({ tickets: same }), model)).toBe(true);
    expect(coversRole(role({ tickets: same }), role({ incidents: narrow }), model)).toBe(false);
  });

  it("by comparing row filters by the fields that they mean", () => {
    const rows = (name: string): Grant => ({
      read: { filter: { field: name, op: "eq", value: "x" } },
    });
    const mine = role({ incidents: rows("notes") });
    expect(coversRole(mine, role({ tickets: rows("remarks") }), model)).toBe(true);
    expect(coversRole(mine, role({ tickets: rows("title") }), model)).toBe(false);
  });

  it("with fields derived from a hidden one counted as hidden", () => {
    const mine = role({ tickets: { read: { hide: ["team"] } } });
    const theirs = (hide: string[]) => role({ tickets: { read: { hide } } });
    expect(coversRole(mine, theirs(["team"]), model)).toBe(true);
    expect(coversRole(mine, theirs(["rank"]), model)).toBe(false);
  });

  it.each(["create", "createInAnyState", "export", "history", "comment", "delete"] as const)(
    "with the right `%s` compared",
    (right) => {
      const without = role({ tickets: { read: true } });
      const having = role({ tickets: { read: true, [right]: true } });
      expect(coversRole(without, having, model)).toBe(false);
      expect(coversRole(having, without, model)).toBe(true);
    },
  );

  it("with a right to write all fields wider than one that lists them", () => {
    const all = role({ tickets: { read: true, update: true } });
    const some = role({ tickets: { read: true, update: { fields: ["title"] } } });
    expect(coversRole(some, all, model)).toBe(false);
    expect(coversRole(all, some, model)).toBe(true);
  });

  it("regardless of grants on missing tables", () => {
    expect(coversRole(role({}), role({ gone: { read: true } }), model)).toBe(true);
  });

  it("with the grants on future tables compared", () => {
    const everything = role({ tickets: { read: true }, "*": { read: true } });
    expect(coversRole(role({ tickets: { read: true } }), everything, model)).toBe(false);
  });

  it("if its filters are narrower, and never by filters that match nothing", () => {
    const a: Filter = { field: "team", op: "eq", value: "a" };
    const b: Filter = { field: "title", op: "eq", value: "b" };
    const reads = (filter: Filter) => role({ tickets: { read: { filter } } });
    const within = (theirs: Filter, mine: Filter) => coversRole(reads(mine), reads(theirs), model);
    expect(within({ and: [a, b] }, a)).toBe(true);
    expect(within({ and: [a, b] }, { and: [b, a] })).toBe(true);
    expect(within(a, { or: [b, a] })).toBe(true);
    expect(within({ or: [a, b] }, a)).toBe(false);
    expect(within({ or: [] }, a)).toBe(true);
    expect(within({ value: "a", op: "eq", field: "team" } as Filter, a)).toBe(true);
  });
});

describe("the rights of a user", () => {
  const mine: Filter = { field: "title", op: "eq", value: "$me" };
  const ours: Filter = { field: "team", op: "eq", value: "$me.team" };

  it("exclude the rows that `$me` opens to a colleague with the same role", () => {
    for (const grant of [{ read: { filter: mine } }, { read: true, update: { filter: mine } }]) {
      const agent = role({ tickets: grant });
      expect(coversUser(user(agent, "a"), user(agent, "b"), model)).toBe(false);
      expect(coversUser(user(agent, "a"), user(agent, "a"), model)).toBe(true);
    }
  });

  it("include the rows of an attribute with the same value, or of no attribute", () => {
    const agent = role({ tickets: { read: { filter: ours } } });
    const lead = user(agent, "a", { team: "red" });
    const covers = (team: Subject["attributes"]) => coversUser(lead, user(agent, "b", team), model);
    expect([covers({ team: "red" }), covers({}), covers({ team: "red", desk: 2 })]).toEqual([
      true,
      true,
      true,
    ]);
    expect([covers({ team: "blue" }), covers({ team: ["red", "blue"] })]).toEqual([false, false]);
  });

  it("compare bound filters, however they are written", () => {
    const red: Filter = { field: "team", op: "eq", value: "red" };
    const lead = user(role({ tickets: { read: { filter: red } } }), "a");
    const agent = role({ tickets: { read: { filter: ours } } });
    expect(coversUser(lead, user(agent, "b", { team: "red" }), model)).toBe(true);
    expect(coversUser(lead, user(agent, "b", { team: "blue" }), model)).toBe(false);
  });
});

describe("transitions that a workflow restricts", () => {
  const grant: Grant = { read: true, transitions: true };
  const workflow = (more: object): Model => ({
    ...model,
    tables: [
      {
        ...tickets,
        workflow: {
          states: [{ value: "New", open: true }],
          transitions: [{ name: "close", label: "Close", from: ["New"], to: "New", ...more }],
        },
      },
    ],
  });
  const [lead, closer] = [
    role({ tickets: grant }, [], "lead"),
    role({ tickets: grant }, [], "closer"),
  ];

  it("are not covered by a role that the workflow does not name", () => {
    const named = workflow({ roles: ["closer"] });
    expect(coversRole(lead, closer, named)).toBe(false);
    expect(coversRole(closer, lead, named)).toBe(true);
    expect(coversRole(role({ tickets: grant }, ["model"], "lead"), closer, named)).toBe(true);
  });

  it("are not covered if the guard depends on the user", () => {
    const guarded = workflow({ guard: { field: "title", op: "ne", value: "$me" } });
    expect(coversUser(user(lead, "a"), user(lead, "b"), guarded)).toBe(false);
    expect(coversUser(user(lead, "a"), user(lead, "a"), guarded)).toBe(true);
  });
});
