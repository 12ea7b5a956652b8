import { describe, expect, it } from "vitest";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Table } from "../../../../../shared/model/model.ts";
import {
  type Tile,
  type TileKind,
  tileSchema,
} from "../../../../../shared/model/wallboard/tile.ts";
import { wallboardDocumentSchema } from "../../../../../shared/model/wallboard/wallboard.ts";
import { tileWords, wallboardWords } from "./tile-settings.tsx";

const tickets: Table = {
  name: "tickets",
  label: "Tickets",
  recordLabel: "ticket",
  display: "title",
  columns: ["title"],
  sort: [],
  fields: [
    { name: "title", label: "Subject", type: "text" },
    { name: "opened_at", label: "Opened", type: "timestamp" },
    { name: "effort", label: "Effort", type: "integer" },
  ],
};
const tileOf = (kind: TileKind) => ({ kind, table: "tickets" }) as Tile;
const words = (key: string, kind: TileKind) => tileWords(key, tileOf(kind), [tickets]);

describe("in a conflict", () => {
  it("each setting of each kind of tile, and of the wallboard, has a name", () => {
    const ofTiles = tileSchema.options.flatMap(({ shape }) =>
      Object.keys(shape).filter((key) => words(key, shape.kind.value).name === key),
    );
    const ofWallboards = Object.keys(wallboardDocumentSchema.shape).filter(
      (key) => wallboardWords(key).name === key,
    );
    expect([new Set(ofTiles), ofWallboards]).toEqual([new Set(["id"]), ["tiles"]]);
  });

  it.each<[TileKind, string, string, [Json | undefined, string][]]>([
    [
      "number",
      "better",
      "Better is",
      [
        ["less", "Lower"],
        [undefined, "Not set"],
      ],
    ],
    [
      "number",
      "expectEvery",
      "Warn if no change for",
      [
        ["1h", "1 hour"],
        ["2h", "2h"],
        [null, "Never"],
      ],
    ],
    [
      "number",
      "decimals",
      "Decimals",
      [
        [2, "2"],
        [undefined, "Auto"],
      ],
    ],
    [
      "number",
      "qr",
      "QR code that opens these records",
      [
        [true, "Yes"],
        [undefined, "No"],
      ],
    ],
    [
      "number",
      "trend",
      "Trend",
      [
        [{ field: "opened_at", bucket: "week", count: 6 }, "Opened, last 6 weeks"],
        [undefined, "No"],
      ],
    ],
    [
      "number",
      "measure",
      "Measure",
      [
        [{ op: "count" }, "Number of records"],
        [{ op: "percentile", field: "effort", percentile: 90 }, "Percentile, Effort, 90"],
      ],
    ],
    [
      "trend",
      "group",
      "One line per",
      [
        ["title", "Subject"],
        [undefined, "Single line"],
      ],
    ],
    [
      "lights",
      "group",
      "Group by",
      [
        ["title", "Subject"],
        ["gone", "gone"],
      ],
    ],
    [
      "lights",
      "order",
      "Order",
      [
        [["-value"], "Largest first"],
        [["value"], "Smallest first"],
        [["-opened_at"], "Opened (descending)"],
        [undefined, "Largest first"],
      ],
    ],
    [
      "queue",
      "order",
      "Sort by",
      [
        [["-opened_at", "title"], "Opened (descending), Subject"],
        [undefined, "Default of the table"],
      ],
    ],
    [
      "progress",
      "of",
      "Compared with",
      [
        [{}, "All records of the table"],
        [undefined, "Target"],
      ],
    ],
    ["clock", "hours", "Hours", [["12", "12-hour (am/pm)"]]],
    [
      "clock",
      "zone",
      "Time zone",
      [
        ["America/New_York", "America/New York"],
        [undefined, "Same as the wallboard"],
      ],
    ],
    [
      "text",
      "text",
      "Text",
      [
        ["x".repeat(61), `${"x".repeat(60)}…`],
        [undefined, "empty"],
      ],
    ],
  ])("a tile of the kind %s words its %s as its form does", (kind, key, name, values) => {
    expect(words(key, kind).name).toBe(name);
    const { text } = words(key, kind);
    expect(values.map(([value]) => text(value))).toEqual(values.map(([, said]) => said));
  });

  it("a removed tile has the settings of all kinds", () => {
    const { name, text } = tileWords("measure", undefined, [tickets]);
    expect([name, text({ op: "sum", field: "effort" })]).toEqual(["Measure", "Sum, effort"]);
  });
});
