import type { Table } from "../../../../shared/model/model.ts";
import { type HomePart, homePartOf } from "../../../../shared/model/wallboard/home-wallboard.ts";
import { workOf } from "../../../../shared/model/work-of.ts";
import type { ShownTile, TileFrame, TileLine } from "../../../../shared/protocol/frame.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import type { WallboardView } from "../../state/wallboard-state.ts";
import { asNumber } from "../../tiles/tile-text.ts";

/** A tile of the dashboard with its values, if they are loaded. */
export interface HomeTile {
  tile: ShownTile;
  frame: TileFrame | undefined;
}

/** The tiles of one table. */
export interface HomeTable {
  key: string;
  parts: Partial<Record<HomePart, HomeTile>>;
}

/** The tiles by table and purpose, without hidden ones, worded in the language of the interface. */
export function homeTables(
  { board, tiles }: Pick<WallboardView, "board" | "tiles">,
  all: readonly Table[],
): HomeTable[] {
  const tables = new Map<string, HomeTable>();
  for (const tile of board?.tiles ?? []) {
    const part = homePartOf(tile.id);
    const frame = tiles[tile.id];
    if (!part || frame?.state === "hidden") continue;
    const key = tile.id.slice(0, -part.length - 1);
    const table = tables.get(key) ?? { key, parts: {} };
    const source = all.find(({ name }) => tableAddress(name) === tableOf(tile.address));
    const titled = source ? { ...tile, title: homeTitle(part, source) } : tile;
    table.parts[part] = { tile: titled, frame };
    tables.set(key, table);
  }
  return [...tables.values()];
}

/** The table's own address: the tile's, without its filter. */
export function tableOf(address = ""): string {
  return address.split("?")[0] ?? "";
}

/**
 * The number of open records with its trend: the number at the end of each day, computed backwards from the present
 * number and the records opened and closed on each day. The last point is now.
 */
export function withOpenHistory({ open, began, done }: HomeTable["parts"]): HomeTile | undefined {
  const now = asNumber(open?.frame?.value);
  const beganPoints = pointsOf(began);
  const donePoints = pointsOf(done);
  if (!open?.frame || now === null || !beganPoints || beganPoints.length !== donePoints?.length)
    return open;
  const points: TileLine["points"] = [];
  let value = now;
  for (let day = beganPoints.length - 1; day >= 0; day--) {
    points.unshift({ at: beganPoints[day]?.at ?? "", value });
    value = Math.max(0, value - valueAt(beganPoints, day) + valueAt(donePoints, day));
  }
  const series = [{ key: null, label: open.tile.title, points }];
  return {
    tile: { ...open.tile, bucket: "day", compared: "level" },
    frame: { ...open.frame, series, before: points.at(-2)?.value ?? null },
  };
}

function pointsOf(part: HomeTile | undefined) {
  return part?.frame?.series?.[0]?.points;
}

function valueAt(points: TileLine["points"], index: number): number {
  return asNumber(points[index]?.value) ?? 0;
}

/** The title of a tile of the dashboard, in the language of the interface: the server's own is English. */
function homeTitle(part: HomePart, table: Table): string {
  const { started, done, level } = workOf(table) ?? {};
  switch (part) {
    case "open":
      return messages.openRecords({ records: table.label.toLowerCase() });
    case "overdue":
      return messages.overdueRecords();
    case "unassigned":
      return messages.unassigned();
    case "stale":
      return messages.openForLong();
    case "began":
      return messages.today({ field: started?.label ?? "" });
    case "done":
      return messages.today({ field: done?.label ?? "" });
    case "level":
      return messages.openBy({ field: level?.label.toLowerCase() ?? "" });
    case "mine":
      return messages.myWork();
    case "all":
      return table.label;
  }
}
