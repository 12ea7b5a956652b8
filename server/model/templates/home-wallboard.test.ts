import { describe, expect, it } from "vitest";
import type { Model, Table } from "../../../shared/model/model.ts";
import { checkTile } from "../../../shared/model/wallboard/check-tile.ts";
import { homePartOf, homeWallboard } from "../../../shared/model/wallboard/home-wallboard.ts";
import { wallboardDocumentSchema } from "../../../shared/model/wallboard/wallboard.ts";
import { ordersStock } from "./orders-stock.ts";
import { serviceDesk } from "./service-desk.ts";

/** The wallboard of a user who may see everything except the named fields. */
function wallboardOf(model: Model, hidden: readonly string[] = []) {
  const seen = model.tables.map((table) => ({
    table,
    visible: table.fields.map(({ name }) => name).filter((name) => !hidden.includes(name)),
  }));
  return homeWallboard(seen);
}

const idsOf = (wallboard: ReturnType<typeof wallboardOf>) => wallboard.tiles.map(({ id }) => id);

describe("the derived dashboard of a model", () => {
  it.each([
    ["service desk", serviceDesk],
    ["orders & stock", ordersStock],
    ["model without a table", { version: 1, tables: [] }],
  ])("can be evaluated for the %s", (_name, model) => {
    const wallboard = wallboardOf(model);
    expect(wallboardDocumentSchema.parse(wallboard)).toEqual(wallboard);
    expect(wallboard.tiles.flatMap((tile) => checkTile(tile, model))).toEqual([]);
  });

  it("queries what the declared fields allow", () => {
    const incidents = [
      "open",
      "overdue",
      "unassigned",
      "stale",
      "began",
      "done",
      "level",
      "mine",
    ].map((part) => `incidents-${part}`);
    expect(idsOf(wallboardOf(serviceDesk))).toEqual(incidents);
    expect(idsOf(wallboardOf(ordersStock))).toContain("orders-unassigned");
    expect(idsOf(wallboardOf(ordersStock))).not.toContain("orders-overdue");
  });

  it("queries no fields that the user may not see", () => {
    const wallboard = wallboardOf(serviceDesk, ["assignee", "due_at"]);
    expect(idsOf(wallboard)).not.toContain("incidents-mine");
    expect(JSON.stringify(wallboard)).not.toMatch(/assignee|due_at/);
  });

  it("counts the tables if no state is open", () => {
    const tables = serviceDesk.tables.filter(({ name }) => name !== "incidents");
    expect(idsOf(wallboardOf({ version: 1, tables }))).toEqual([
      "groups-all",
      "people-all",
      "services-all",
    ]);
  });

  it("has tiles of its own for each table, whatever script their names are in", () => {
    const [group] = serviceDesk.tables.filter(({ name }) => name === "groups");
    const names = ["заявки", "услуги", "x".repeat(50), `${"x".repeat(50)}y`];
    const tables = names.map((name) => ({ ...(group as Table), name }));
    const wallboard = wallboardOf({ version: 1, tables });
    expect(wallboardDocumentSchema.parse(wallboard)).toEqual(wallboard);
    expect(wallboard.tiles.map((tile) => "table" in tile && tile.table)).toEqual(names);
    expect(idsOf(wallboard).map(homePartOf)).toEqual(["all", "all", "all", "all"]);
  });

  it("recognises the purpose of a tile", () => {
    expect(homePartOf("incidents-overdue")).toBe("overdue");
    expect(homePartOf("made-by-hand")).toBeNull();
  });
});
