import { expect, test } from "vitest";
import type { Table } from "../../../../shared/model/model.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { accessOf, grantAt, setAccess, setGrant, setRows, setTransition } from "./grant-edits.ts";

const field = (name: string) => ({ name, label: name, type: "text" as const });
const jobs: Table = {
  name: "jobs",
  label: "Jobs",
  recordLabel: "job",
  display: "a",
  fields: [field("a"), { ...field("b"), formerly: ["old_b"] }, field("c")],
  workflow: {
    states: [{ value: "x", open: true, initial: true }],
    transitions: [
      { name: "go", label: "Go", from: ["x"], to: "x" },
      { name: "stop", label: "Stop", from: ["x"], to: "x" },
    ],
  },
  columns: [],
  sort: [],
};
const filter = { field: "a", op: "eq", value: "1" } as const;
const start: RoleForm = {
  name: "R",
  rights: [],
  grants: { jobs: { read: true, update: true, transitions: true } },
};
const grantOf = (form: RoleForm) => grantAt(form, "jobs");

test("hiding a field takes it from reading and writing, and showing it brings both back", () => {
  const hidden = setAccess(start, "jobs", jobs, "b", "hidden");
  expect(grantOf(hidden)).toEqual({ read: { hide: ["b"] }, update: true, transitions: true });
  const readOnly = setAccess(hidden, "jobs", jobs, "a", "read");
  expect(grantOf(readOnly)).toMatchObject({ read: { hide: ["b"] }, update: { fields: ["c"] } });
  const back = setAccess(
    setAccess(readOnly, "jobs", jobs, "b", "write"),
    "jobs",
    jobs,
    "a",
    "write",
  );
  expect(grantOf(back)).toEqual(start.grants.jobs);
});

test("a field that is hidden under its old name is hidden, and can be shown", () => {
  const old = setGrant(start, "jobs", "read", { hide: ["old_b"] });
  expect(accessOf(grantOf(old), jobs).get("b")).toBe("hidden");
  expect(grantOf(setAccess(old, "jobs", jobs, "b", "write")).read).toBe(true);
});

test("rows and fields of a right do not disturb each other", () => {
  const rows = setRows(setAccess(start, "jobs", jobs, "a", "read"), "jobs", "update", filter);
  expect(grantOf(rows).update).toEqual({ fields: ["b", "c"], filter });
  expect(grantOf(setRows(rows, "jobs", "update", null)).update).toEqual({ fields: ["b", "c"] });
});

test("stores removed transitions as a list, all as yes and none as no", () => {
  const one = setTransition(start, "jobs", jobs, "go", false);
  expect(grantOf(one).transitions).toEqual(["stop"]);
  expect(grantOf(setTransition(one, "jobs", jobs, "go", true)).transitions).toBe(true);
  expect(grantOf(setTransition(one, "jobs", jobs, "stop", false)).transitions).toBeUndefined();
});
