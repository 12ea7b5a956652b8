import { describe, expect, it } from "vitest";
import type { Model, Table } from "../../shared/model/model.ts";
import { builtInRoles, narrowRole, type Role } from "../../shared/policy/role.ts";
import type { SecurityEvent } from "../../shared/protocol/security-events.ts";
import { redactEvent } from "./redact-event.ts";

const model: Model = { version: 1, tables: [] };
const event: SecurityEvent = {
  id: "1",
  at: "2026-01-01T00:00:00+00:00",
  kind: "log_exported",
  actor: { id: "somebody", name: "Somebody" },
  subject: null,
  ip: null,
  userAgent: null,
  detail: { file: "changes.csv", search: "canary" },
};

it("shows an API token no more of an event than its creator sees", () => {
  const admin = builtInRoles.find(({ id }) => id === "admin") as Role;
  const creator: Role = { id: "auditor", name: "Auditor", rights: ["activity"], grants: {} };
  const seenBy = (role: Role) => redactEvent(event, { id: "me", role, attributes: {} }, model);
  expect(seenBy(admin).detail).toEqual(event.detail);
  expect(seenBy(creator).detail).toEqual({ file: "changes.csv" });
  expect(seenBy(narrowRole(admin, creator)).detail).toEqual({ file: "changes.csv" });
  // A search of all tables is also one of those that a role reads in part.
  const partly = { ...creator, grants: { "*": { read: true }, staff: {} } };
  expect(seenBy(partly).detail).toEqual({ file: "changes.csv" });
});

it("shows its reader all of what they did themselves", () => {
  const role: Role = { id: "auditor", name: "Auditor", rights: ["activity"], grants: {} };
  const own = { ...event, actor: { id: "me", name: "Me" } };
  const detail = { ...event.detail, table: "staff", tableId: "staff" };
  const { tableId: _, ...shown } = detail;
  const seen = redactEvent({ ...own, detail }, { id: "me", role, attributes: {} }, model);
  expect(seen.detail).toEqual(shown);
});

it("shows the details of a removed table only to roles that read all of it", () => {
  const ofTable = { ...event, detail: { ...event.detail, table: "staff" } };
  const seenBy = (grants: Role["grants"]) => {
    const role: Role = { id: "auditor", name: "Auditor", rights: ["activity"], grants };
    return redactEvent(ofTable, { id: "me", role, attributes: {} }, model).detail;
  };
  expect(seenBy({ "*": { read: true } })).toEqual(ofTable.detail);
  for (const staff of [{}, { read: { hide: ["salary"] } }]) {
    for (const name of ["staff", "staff, removed"]) {
      expect(seenBy({ "*": { read: true }, [name]: staff })).toEqual({ table: null });
    }
  }
});

it("shows the details of a table's events under its former names, as under its own, and once it is removed", () => {
  const staff = {
    ...{ id: "people", name: "staff", formerly: ["people"], label: "Staff", recordLabel: "person" },
    ...{ display: "name", columns: [], sort: [] },
    fields: ["name", "salary"].map((name) => ({ name, label: name, type: "text" as const })),
  };
  const hiding = { "*": { read: true }, staff: { read: { hide: ["salary"] } } };
  const formerly = { "*": { read: true }, people: { read: { hide: ["salary"] } } };
  const detail = { table: "people", record: "canary", fields: ["name", "salary"] };
  const seenBy = (
    grants: Role["grants"],
    tables: Model["tables"],
    part: Partial<SecurityEvent>,
  ) => {
    const role: Role = { id: "auditor", name: "Auditor", rights: ["activity"], grants };
    const reader = { id: "me", role, attributes: {} };
    return redactEvent({ ...event, ...part }, reader, { version: 1, tables }).detail;
  };
  for (const grants of [hiding, formerly]) {
    for (const name of ["people", "staff"]) {
      const named = { detail: { ...detail, table: name } };
      expect(seenBy(grants, [staff], named)).toEqual({ table: name, fields: ["name"] });
      expect(seenBy(grants, [], named)).toEqual({ table: null });
    }
  }
  const ofRole = { kind: "role_changed" as const, detail: { changed: ["people", "staff"] } };
  for (const name of ["people", "staff"]) {
    for (const tables of [[staff], []]) {
      expect(seenBy({ "*": { read: true }, [name]: {} }, tables, ofRole)).toEqual({ changed: [] });
    }
  }
});

describe("an event on a table that was renamed", () => {
  const tableOf = (name: string, more: Partial<Table> = {}): Table => {
    return {
      name,
      label: name,
      recordLabel: name,
      display: "id",
      columns: [],
      sort: [],
      fields: [],
      ...more,
    };
  };
  const renamed = tableOf("people", { id: "staff", formerly: ["staff"] });
  const named = { ...event, detail: { ...event.detail, table: "staff" } };
  const byId = { ...named, detail: { ...named.detail, tableId: "staff" } };
  const seenBy = (grants: Role["grants"], tables: Table[], shown = named) => {
    const role: Role = { id: "auditor", name: "Auditor", rights: ["activity"], grants };
    const reader = { id: "me", role, attributes: {} };
    return redactEvent(shown, reader, { version: 2, tables }).detail;
  };
  const hidden = { table: null };

  it.each([named, byId])("is shown by the grant on that table", (shown) => {
    expect(seenBy({ people: { read: true } }, [renamed], shown)).toEqual(named.detail);
    expect(seenBy({ "*": { read: true }, people: {} }, [renamed], shown)).toEqual(hidden);
  });

  it.each([named, byId])("is not shown by the grant on another one of its name", (shown) => {
    const tables = [tableOf("people", { id: "staff" }), tableOf("staff", { id: "staff_2" })];
    expect(seenBy({ staff: { read: true } }, tables, shown)).toEqual(hidden);
    expect(seenBy({ "*": { read: true } }, tables, shown)).toEqual(named.detail);
    const ofPeople = seenBy({ people: { read: true } }, tables, shown);
    expect(ofPeople).toEqual(shown === byId ? named.detail : hidden);
  });

  it("is shown, once it was removed, only to roles that read all tables of the time", () => {
    expect(seenBy({ "*": { read: true } }, [], byId)).toEqual(named.detail);
    expect(seenBy({ "*": { read: true }, people: {} }, [], byId)).toEqual(hidden);
  });
});
