import { z } from "zod";
import { filterSchema } from "../../filter/filter.ts";
import { userTextSchema } from "../user-text-schema.ts";
import { tileSchema } from "./tile.ts";
import { zoneSchema } from "./tile-parts.ts";

const TILES_MAX = 60;

/** The raster of a wallboard; the screen is divided evenly by it. */
export const gridSchema = z.strictObject({
  columns: z.int().min(1).max(96),
  rows: z.int().min(1).max(96),
});
export type Grid = z.infer<typeof gridSchema>;

export const wallboardNameSchema = userTextSchema(120).trim().min(1);

/** The content of a wallboard; its draft and its published version have this same form. */
export const wallboardDocumentSchema = z.strictObject({
  name: wallboardNameSchema,
  tiles: z
    .array(tileSchema)
    .max(TILES_MAX)
    .refine((tiles) => new Set(tiles.map(({ id }) => id)).size === tiles.length, {
      error: "Two tiles have the same id",
    })
    .default([]),
  grid: gridSchema.default({ columns: 12, rows: 8 }),
  /** The zone in which its tiles evaluate `$today` and days, by default; null: that of the installation, also once that is another one. */
  zone: zoneSchema.nullable().default(null),
  theme: z.enum(["dark", "light"]).default("dark"),
});
export type WallboardDocument = z.infer<typeof wallboardDocumentSchema>;

/** What a display may see of each table: what the publisher could, at the time of publishing. */
export const wallboardScopesSchema = z.record(
  z.string(),
  z.object({ filter: filterSchema.nullable(), fields: z.array(z.string()) }),
);
export type WallboardScopes = z.infer<typeof wallboardScopesSchema>;

/** The raster that a wallboard needs: its own, enlarged if a tile extends beyond it. */
export function gridOf({ grid, tiles }: Pick<WallboardDocument, "grid" | "tiles">): Grid {
  return {
    columns: Math.max(grid.columns, ...tiles.map(({ layout: { x, w } }) => x + w)),
    rows: Math.max(grid.rows, ...tiles.map(({ layout: { y, h } }) => y + h)),
  };
}
