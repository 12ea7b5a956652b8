import { expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
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
