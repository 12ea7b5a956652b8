import { workOf } from "../work-of.ts";
import type { VisibleTable } from "./home-wallboard.ts";
import type { Tile } from "./tile.ts";
import type { WallboardDocument } from "./wallboard.ts";

/** The reserved id of the wallboard behind the counts beside the table names. */
export const TABLES_WALLBOARD = "tables";

/** Nobody reads the counts of more tables than this. */
const COUNTED_MAX = 60;

/** The tile that counts a table. */
export function countTileId(table: string): string {
  return `table ${table}`;
}

/** The open records of each table; all records if no state is open. */
export function tablesWallboard(visibleTables: readonly VisibleTable[]): WallboardDocument {
  const tiles = visibleTables.slice(0, COUNTED_MAX).map(({ table, visible }, y): Tile => {
    const work = workOf(table, visible);
    return {
      id: countTileId(table.name),
      kind: "number",
      table: table.name,
      ...(work && { filter: work.open }),
      measure: { op: "count" },
      layout: { x: 0, y, w: 1, h: 1 },
    };
  });
  const grid = { columns: 1, rows: COUNTED_MAX };
  return { name: "Tables", tiles, grid, zone: "UTC", theme: "light" };
}
