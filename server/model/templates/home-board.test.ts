import { describe, expect, it } from "vitest";
import type { Model } from "../../../shared/model/model.ts";
import { checkTile } from "../../../shared/model/wallboard/check-tile.ts";
import { homeBoard, homePartOf } from "../../../shared/model/wallboard/home-board.ts";
import { wallboardDocumentSchema } from "../../../shared/model/wallboard/wallboard.ts";
import { ordersStock } from "./orders-stock.ts";
import { serviceDesk } from "./service-desk.ts";

/** The board of a user who may see everything except the named fields. */
function boardOf(model: Model, hidden: readonly string[] = []) {
  const seen = model.tables.map((table) => ({
    table,
    visible: table.fields.map(({ name }) => name).filter((name) => !hidden.includes(name)),
  }));
  return homeBoard(seen);
}

const idsOf = (board: ReturnType<typeof boardOf>) => board.tiles.map(({ id }) => id);

describe("the derived dashboard of a model", () => {
  it.each([
    ["service desk", serviceDesk],
    ["orders & stock", ordersStock],
    ["model without a table", { version: 1, tables: [] }],
  ])("can be evaluated for the %s", (_name, model) => {
    const board = boardOf(model);
    expect(wallboardDocumentSchema.parse(board)).toEqual(board);
    expect(board.tiles.flatMap((tile) => checkTile(tile, model))).toEqual([]);
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
      "attention",
    ].map((part) => `incidents-${part}`);
    expect(idsOf(boardOf(serviceDesk))).toEqual(incidents);
    expect(idsOf(boardOf(ordersStock))).toContain("orders-unassigned");
    expect(idsOf(boardOf(ordersStock))).not.toContain("orders-overdue");
  });

  it("queries no fields that the user may not see", () => {
    const board = boardOf(serviceDesk, ["assignee", "due_at"]);
    expect(idsOf(board)).not.toContain("incidents-mine");
    expect(JSON.stringify(board)).not.toMatch(/assignee|due_at/);
  });

  it("counts the tables if no state is open", () => {
    const tables = serviceDesk.tables.filter(({ name }) => name !== "incidents");
    expect(idsOf(boardOf({ version: 1, tables }))).toEqual([
      "groups-all",
      "people-all",
      "services-all",
    ]);
  });

  it("recognises the purpose of a tile", () => {
    expect(homePartOf("incidents-overdue")).toBe("overdue");
    expect(homePartOf("made-by-hand")).toBeNull();
  });
});
