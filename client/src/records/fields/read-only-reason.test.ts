import { expect, test } from "vitest";
import type { Model, Table } from "../../../../shared/model/model.ts";
import { abilitiesOf } from "../../../../shared/policy/abilities.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import { locksAll, notDeletableReason, readOnlyReason } from "./read-only-reason.ts";

const jobs: Table = {
  name: "jobs",
  label: "Jobs",
  recordLabel: "job",
  display: "title",
  fields: [
    { name: "title", label: "Title", type: "text" },
    { name: "who", label: "Assignee", type: "person" },
  ],
  columns: [],
  sort: [],
};
const model: Model = { version: 1, tables: [jobs] };
const mine = { filter: { field: "who", op: "eq", value: "$me" } } as const;

function reason(grant: Grant, who: string | null, pending: string | null = null): string | null {
  const role = { id: "r", name: "R", rights: [], grants: { jobs: grant } };
  const { tables } = abilitiesOf({ id: "ann", role, attributes: {} }, model);
  const record = { id: "1", pending, mark: null, values: { title: "t", who } };
  const [title] = jobs.fields;
  return title ? readOnlyReason(jobs, title, tables.jobs, record) : null;
}

test("a role that may change some records can't change the others, and the reason names the condition", () => {
  expect(reason({ read: true, update: mine }, "ann")).toBeNull();
  expect(reason({ read: true, update: mine }, "bob")).toBe(
    "Your role can change this job only when Assignee is me.",
  );
  expect(reason({ read: true, update: mine }, "bob", "create")).toBeNull();
  expect(reason({ read: true, update: true }, "bob")).toBeNull();
});

test("a role that may delete some records can't delete the others, and the reason names the condition", () => {
  const deleteReason = (grant: Grant, who: string) => {
    const role = { id: "r", name: "R", rights: [], grants: { jobs: grant } };
    const abilities = abilitiesOf({ id: "ann", role, attributes: {} }, model).tables.jobs;
    return (
      abilities && notDeletableReason(jobs, abilities, { id: "1", values: { title: "t", who } })
    );
  };
  expect(deleteReason({ read: true, delete: mine }, "ann")).toBeNull();
  expect(deleteReason({ read: true, delete: mine }, "bob")).toBe(
    "Your role can delete this job only when Assignee is me.",
  );
  expect(deleteReason({ read: true, delete: true }, "bob")).toBeNull();
  expect(deleteReason({ read: { hide: ["who"] }, delete: mine }, "bob")).toBeNull();
});

test("gives no reason for a row filter on a hidden field: only the server evaluates it", () => {
  expect(reason({ read: { hide: ["who"] }, update: mine }, null)).toBeNull();
});

test("a field that the role may not write has a reason", () => {
  expect(reason({ read: true, update: { fields: ["who"] } }, "ann")).toBe(
    "Your role can't change Title of Jobs.",
  );
});

test("a state locks all fields, some, or none", () => {
  const locks = (of: "all" | string[] | undefined) => {
    const fields: Table["fields"] = [
      ...jobs.fields,
      { name: "state", label: "State", type: "select", options: [{ value: "Done" }] },
    ];
    const state = { value: "Done", open: false, ...(of && { locks: of }) };
    const table: Table = {
      ...jobs,
      fields,
      stateField: "state",
      workflow: { states: [state], transitions: [] },
    };
    return locksAll(table, { state: "Done" });
  };
  expect(locks("all")).toBe(true);
  expect(locks(["title", "who"])).toBe(true);
  expect(locks(["title"])).toBe(false);
  expect(locks(undefined)).toBe(false);
});
