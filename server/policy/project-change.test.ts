import { describe, expect, test } from "vitest";
import type { Table, Values } from "../../shared/model/model.ts";
import type { Grant } from "../../shared/policy/role.ts";
import { type Scope, type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { LogChange } from "../store/log-change.ts";
import { type CompiledScope, compileScope, compileScopeOf } from "./compiled-scope.ts";
import { projectChange } from "./project-change.ts";
import { projectHistory } from "./project-history.ts";

const table: Table = {
  name: "incidents",
  label: "Incidents",
  recordLabel: "incident",
  display: "title",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "group", label: "Group", type: "text" },
    { name: "caller", label: "Caller", type: "text" },
    { name: "state", label: "State", type: "select" },
  ],
  stateField: "state",
  columns: ["title"],
  sort: [],
};

function subjectWith(read: Grant["read"], attributes = { group: "Network" }): Subject {
  const role = { id: "r", name: "R", rights: [], grants: { incidents: { read } } };
  return { id: "u1", role, attributes };
}

function scopeWith(read: Grant["read"], attributes = { group: "Network" }): CompiledScope {
  const scope = compileScopeOf(subjectWith(read, attributes), table);
  if (!scope) throw new Error("no scope");
  return scope;
}

const everything = scopeWith(true);
const network = scopeWith({
  filter: { field: "group", op: "eq", value: "$me.group" },
  hide: ["caller"],
});

const record = { title: "Router down", group: "Network", caller: "canary", state: "New" };
const by = { kind: "user" as const, id: "u1", name: "Ann" };
const at = "2026-11-21T04:00:00.123456Z";

function update(before: Values, after: Values = record): LogChange {
  return { seq: 7, kind: "update", record: "i1", before, after, entry: 11, by, at };
}
const inserted: LogChange = { ...update({}), kind: "insert", before: null };
const deleted: LogChange = { ...update({}), kind: "delete", before: record, after: null };
const desktop = { ...record, group: "Desktop" };

describe("S7 a change is evaluated before and after, once per scope", () => {
  test.each<[string, LogChange, CompiledScope, string | null, object | null]>([
    ["an insert in scope is an insert", inserted, everything, "insert", record],
    ["a delete in scope is an empty delete", deleted, everything, "delete", {}],
    [
      "an update sends the changed fields",
      update({ title: "x" }),
      everything,
      "update",
      { title: "Router down" },
    ],
    ["an update of nothing is nothing", update({}), everything, null, null],
    ["an insert out of scope is nothing", { ...inserted, after: desktop }, network, null, null],
    ["a delete out of scope is nothing", { ...deleted, before: desktop }, network, null, null],
    [
      "entering brings all visible fields",
      update({ group: "Desktop" }),
      network,
      "insert",
      { title: "Router down", group: "Network", state: "New" },
    ],
    [
      "staying sends only visible fields",
      update({ title: "x", caller: "y" }),
      network,
      "update",
      { title: "Router down" },
    ],
    ["a change of hidden fields alone is nothing", update({ caller: "y" }), network, null, null],
    ["leaving is an empty delete", update({ group: "Network" }, desktop), network, "delete", {}],
    ["a record never seen is nothing", update({ title: "x" }, desktop), network, null, null],
    [
      "a null group is in nobody's scope",
      update({ group: null }),
      network,
      "insert",
      { title: "Router down", group: "Network", state: "New" },
    ],
  ])("%s", (_title, change, scope, kind, set) => {
    const projected = projectChange(change, scope);
    expect(projected?.kind ?? null).toBe(kind);
    expect(projected?.set ?? null).toEqual(set);
    if (scope === network) expect(JSON.stringify(projected)).not.toContain("canary");
  });

  test("the author, time and mutation travel with it, batch and reason do not", () => {
    const change = { ...update({ title: "x" }), mutation: "m1", batch: "b1", reason: "secret" };
    const set = { title: "Router down" };
    expect(projectChange(change, everything)).toEqual({
      ...{ seq: 7, kind: "update", record: "i1", set, by, at, mutation: "m1" },
    });
  });

  test("the transition is included only if the state is visible, and never on leaving", () => {
    const noState = scopeWith({ hide: ["state"] });
    const change = { ...update({ title: "x", state: "Old" }), transition: "activate" };
    expect(projectChange(change, everything)?.transition).toBe("activate");
    expect(projectChange(change, noState)?.transition).toBeUndefined();
    const leaving = { ...update({ group: "Network" }, desktop), transition: "reassign" };
    expect(projectChange(leaving, network)?.transition).toBeUndefined();
  });

  test("the transition and its reason stay hidden with the field whose state they changed, whatever the model says now", () => {
    const change = {
      ...update({ title: "x", state: "Old" }),
      transition: "activate",
      reason: "fraud",
    };
    const { stateField: _, ...stateless } = table;
    const elsewhere = { ...table, stateField: "group" };
    const removed = { ...stateless, fields: table.fields.filter(({ name }) => name !== "state") };
    for (const now of [stateless, elsewhere, removed]) {
      const [blind, whole] = [{ hide: ["state"] }, true].map((read) => subjectWith(read));
      const shown = (subject: Subject) => {
        const scope = scopeOf(subject, now) as Scope;
        const entry = projectHistory(change, now, scope);
        const sent = projectChange(change, compileScope(scope, now));
        return [entry?.transition, entry?.reason, sent?.transition];
      };
      expect(shown(blind as Subject)).toEqual([undefined, undefined, undefined]);
      expect(shown(whole as Subject)).toEqual(["activate", "fraud", "activate"]);
    }
  });
});

test("S7 a record whose computed field is not known of that time matches no row right that compares it", () => {
  const grade = { name: "grade", label: "Grade", type: "text" as const, expression: "title" };
  const computed = { ...table, fields: [...table.fields, grade] };
  const filter = { field: "grade", op: "ne" as const, value: "secret" };
  const scope = scopeOf(subjectWith({ filter }), computed) as Scope;
  const compiled = compileScope(scope, computed);
  const earlier = update({ title: "x" });
  const known = update({ title: "x", grade: "x" }, { ...record, grade: "open" });
  expect(projectHistory(earlier, computed, scope)).toBeNull();
  expect(projectChange(earlier, compiled)).toBeNull();
  expect(projectHistory(known, computed, scope)).not.toBeNull();
  expect(projectChange(known, compiled)).not.toBeNull();
});

test("S7 an option's former name in an image is the option, for a row right that excludes it or one that it became", () => {
  const options = [{ value: "confidential", formerly: ["secret"] }, { value: "open" }];
  const merged = [{ value: "open", formerly: ["secret"] }, { value: "done" }];
  const earlier = { ...record, state: "secret" };
  const left = update({ title: "canary", state: "secret" }, { ...record, state: "open" });
  const shown = (of: typeof options, op: "eq" | "ne", value: string, change: LogChange) => {
    const fields = table.fields.map((one) =>
      one.name === "state" ? { ...one, options: of } : one,
    );
    const now = { ...table, fields };
    const scope = scopeOf(subjectWith({ filter: { field: "state", op, value } }), now) as Scope;
    return [projectHistory(change, now, scope), projectChange(change, compileScope(scope, now))];
  };
  const entry = (kind: string) => expect.objectContaining({ kind });
  expect(shown(options, "ne", "confidential", left)).toEqual([null, entry("insert")]);
  expect(shown(merged, "ne", "open", { ...inserted, after: earlier })).toEqual([null, null]);
  // Whoever may read an option may not read, by that, the past of records that became it.
  expect(shown(merged, "eq", "open", { ...inserted, after: earlier })).toEqual([null, null]);
  expect(shown(options, "ne", "open", { ...inserted, after: earlier })).toEqual([
    entry("insert"),
    entry("insert"),
  ]);
});

test("history names no hidden field whose values were erased", () => {
  const change = { ...update({ title: "x", caller: "y" }), erased: ["title", "caller"] };
  const scope = scopeOf(subjectWith({ hide: ["caller"] }), table) as Scope;
  expect(projectHistory(change, table, scope)?.erased).toEqual(["title"]);
});

describe("S6 equal scopes have equal keys, others have not", () => {
  const filter = { field: "group", op: "eq" as const, value: "$me.group" };
  test("users of one group share a key, of two groups do not", () => {
    const read = { filter };
    expect(scopeWith(read).key).toBe(scopeWith(read).key);
    expect(scopeWith(read).key).not.toBe(scopeWith(read, { group: "Desktop" }).key);
  });
  test("a row right over a field of another type makes another scope", () => {
    const fields = table.fields.map((one) =>
      one.name === "group" ? { ...one, type: "integer" as const } : one,
    );
    const keyOf = (of: Table) => compileScopeOf(subjectWith({ filter }), of)?.key;
    expect(keyOf(table)).toBe(scopeWith({ filter }).key);
    expect(keyOf({ ...table, fields })).not.toBe(scopeWith({ filter }).key);
  });
  test("hidden fields make another scope", () => {
    expect(scopeWith(true).key).not.toBe(scopeWith({ hide: ["caller"] }).key);
  });
});
