import { describe, expect, it } from "vitest";
import type { Model } from "../model.ts";
import { checkTile } from "./check-tile.ts";
import { type TileInput, tileSchema } from "./tile.ts";
import { tileNeeds } from "./tile-needs.ts";
import { gridOf, wallboardDocumentSchema } from "./wallboard.ts";

const model: Model = {
  version: 1,
  tables: [
    {
      name: "orders",
      label: "Orders",
      recordLabel: "order",
      display: "title",
      columns: ["title"],
      sort: ["title"],
      fields: [
        { name: "title", label: "Title", type: "text" },
        { name: "amount", label: "Amount", type: "money", scale: 2 },
        { name: "placed", label: "Placed", type: "timestamp" },
        { name: "tags", label: "Tags", type: "multiSelect" },
        { name: "state", label: "State", type: "select", options: [{ value: "New" }] },
      ],
    },
  ],
};
const layout = { x: 0, y: 0, w: 2, h: 2 };

function problemsOf(tile: Record<string, unknown>): string[] {
  const parsed = tileSchema.parse({ id: "a", layout, table: "orders", ...tile });
  return checkTile(parsed, model).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("checkTile", () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ kind: "number" }, []],
    [{ kind: "number", table: "secrets" }, ["table: There is no table “secrets”."]],
    [{ kind: "number", measure: { op: "sum" } }, ["measure.field: “sum” needs a field."]],
    [
      { kind: "number", measure: { op: "sum", field: "title" } },
      ["measure.field: “Title” can't be used for that."],
    ],
    [{ kind: "number", measure: { op: "max", field: "placed" } }, []],
    [{ kind: "number", measure: { op: "percentile", field: "amount", percentile: 90 } }, []],
    [
      { kind: "number", measure: { op: "count", percentile: 90 } },
      ["measure.percentile: “count” takes no percentile."],
    ],
    [{ kind: "breakdown", group: "tags" }, ["group: “Tags” can't be used for that."]],
    [
      { kind: "breakdown", group: "title", order: "title" },
      ["order: Groups are ordered by “value” or “key”, not by “title”."],
    ],
    [{ kind: "trend", time: { field: "placed", bucket: "day" }, group: "title" }, []],
    [
      { kind: "trend", time: { field: "amount", bucket: "day" } },
      ["time.field: “Amount” can't be used for that."],
    ],
    [{ kind: "queue", order: ["-amount", "title"], fields: ["tags"] }, []],
    [{ kind: "queue", order: "-nothing" }, ["order: There is no field “nothing”."]],
    [
      { kind: "queue", filter: { field: "nothing", op: "eq", value: 1 } },
      ["filter: There is no field “nothing”."],
    ],
    [{ kind: "number", filter: { field: "state", op: "in", value: ["New", ""] } }, []],
    [{ kind: "number", filter: { field: "state", op: "startsWith", value: "Ne" } }, []],
    [
      { kind: "number", filter: { not: { field: "state", op: "in", value: ["New", "Free"] } } },
      ["filter: “State” has no option “Free”."],
    ],
    [
      {
        kind: "progress",
        of: { filter: { and: [{ field: "state", op: "ne", value: "Gone" }] } },
      },
      ["of.filter: “State” has no option “Gone”."],
    ],
    [{ kind: "progress" }, ["target: Say either a target or what it is a part of."]],
    [{ kind: "progress", of: {} }, []],
  ])("checks %j", (tile, problems) => expect(problemsOf(tile)).toEqual(problems));

  it("refuses unknown properties", () => {
    const tile = { id: "a", kind: "number", table: "orders", layout, size: 3 };
    expect(tileSchema.safeParse(tile).success).toBe(false);
    expect(tileSchema.safeParse({ ...tile, size: undefined, kind: "gauge" }).success).toBe(false);
  });
});

describe("tileNeeds", () => {
  it.each<[TileInput, string[]]>([
    [
      {
        id: "a",
        kind: "progress",
        layout,
        table: "orders",
        target: 3,
        measure: { op: "sum", field: "amount" },
        filter: { field: "placed", op: "lt", value: { field: "id" } },
      },
      ["placed", "amount"],
    ],
    [{ id: "a", kind: "queue", layout, table: "orders", order: "-amount" }, ["amount", "title"]],
    [{ id: "a", kind: "queue", layout, table: "orders", fields: ["tags"] }, ["tags"]],
  ])("lists what %j reads", (input, fields) => {
    const tile = tileSchema.parse(input);
    if (tile.kind === "clock" || tile.kind === "text") throw new Error("no values");
    expect(tileNeeds(tile, model)).toEqual({ table: "orders", fields });
  });
});

describe("wallboardDocumentSchema", () => {
  it("refuses two tiles with one id", () => {
    const tile = { id: "a", kind: "clock", layout };
    expect(wallboardDocumentSchema.safeParse({ name: "x", tiles: [tile, tile] }).success).toBe(
      false,
    );
  });

  it("grows the grid if a tile extends beyond it", () => {
    const tiles = [{ id: "a", kind: "clock", layout: { x: 10, y: 2, w: 6, h: 1 } }];
    expect(gridOf(wallboardDocumentSchema.parse({ name: "x", tiles }))).toEqual({
      columns: 16,
      rows: 8,
    });
  });
});
