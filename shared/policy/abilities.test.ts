import { expect, it } from "vitest";
import type { Table } from "../model/model.ts";
import { abilitiesOf } from "./abilities.ts";
import type { Grant } from "./role.ts";

const table: Table = {
  name: "tickets",
  label: "Tickets",
  recordLabel: "ticket",
  display: "title",
  fields: ["title", "secret"].map((name) => ({ name, label: name, type: "text" as const })),
  columns: [],
  sort: [],
};

it("says which records may be edited or deleted, unless a hidden field decides that", () => {
  const rows = (field: string) => ({ filter: { field, op: "eq" as const, value: "canary" } });
  const abilities = (field: string, read: Grant["read"]) => {
    const grant = { read, create: true, update: rows(field), delete: rows(field) };
    const role = { id: "r", name: "R", rights: [], grants: { tickets: grant } };
    const found = abilitiesOf({ id: "u", role, attributes: {} }, { version: 1, tables: [table] });
    return found.tables.tickets;
  };
  const hidden = { hide: ["secret"] };
  const { filter } = rows("title");
  expect(abilities("title", hidden)).toMatchObject({
    updateOnly: { filter },
    deleteOnly: { filter },
  });
  expect(JSON.stringify(abilities("secret", hidden))).not.toMatch(/secret|canary/);
  expect(JSON.stringify(abilities("secret", true))).toContain("canary");
});
