import type { Json } from "../../../../shared/filter/filter.ts";
import type { Tile } from "../../../../shared/model/wallboard/tile.ts";
import type { PatchWallboardCall, WallboardInfo } from "../../../../shared/protocol/wallboards.ts";

/**
 * An edit of a board as the cells it writes, each with what stood there before: small enough that two
 * people who work on one board meet only where they mean the same thing. Absent is `null`.
 */
export interface BoardCell {
  /** The tile; null for what the board itself says. */
  tile: string | null;
  /** The property; null for the whole tile, as when it is added or removed. */
  property: string | null;
  before: Json;
  after: Json;
}

/** What the board itself says and a designer may change. */
const boardProperties = ["name", "grid", "zone", "theme"] as const;
export type BoardProperties = Pick<WallboardInfo, (typeof boardProperties)[number]>;

/** The cells in which a tile differs from what it was. */
export function tileCells(before: Tile, after: Tile): BoardCell[] {
  const [was, is] = [asJson(before), asJson(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((property) => ({
      tile: before.id,
      property,
      before: was[property] ?? null,
      after: is[property] ?? null,
    }))
    .filter((cell) => !sameJson(cell.before, cell.after));
}

/** The cell that adds (`before` null) or removes (`after` null) a whole tile. */
export function wholeTile(before: Tile | null, after: Tile | null): BoardCell {
  const tile = (before ?? after)?.id ?? null;
  return {
    tile,
    property: null,
    before: before && asJson(before),
    after: after && asJson(after),
  };
}

export function boardCells(before: WallboardInfo, after: Partial<BoardProperties>): BoardCell[] {
  return boardProperties
    .filter((property) => after[property] !== undefined)
    .map((property) => ({
      tile: null,
      property,
      before: before[property] as Json,
      after: after[property] as Json,
    }))
    .filter((cell) => !sameJson(cell.before, cell.after));
}

/** What stands at a cell's place now. */
export function cellOf(info: WallboardInfo, { tile, property }: BoardCell): Json {
  if (tile === null) return (info as unknown as Record<string, Json>)[property ?? ""] ?? null;
  const found = info.tiles.find(({ id }) => id === tile);
  if (!found) return null;
  const json = asJson(found);
  return property === null ? json : (json[property] ?? null);
}

/** The board with the cells written. A property of a tile that is gone writes nothing. */
export function withCells(info: WallboardInfo, cells: readonly BoardCell[]): WallboardInfo {
  return cells.reduce(withCell, info);
}

function withCell(info: WallboardInfo, { tile, property, after }: BoardCell): WallboardInfo {
  if (tile === null) return { ...info, [property ?? ""]: after };
  if (property === null) {
    const others = info.tiles.filter(({ id }) => id !== tile);
    return { ...info, tiles: after === null ? others : [...others, after as unknown as Tile] };
  }
  const tiles = info.tiles.map((one) => {
    if (one.id !== tile) return one;
    const { [property]: _old, ...rest } = asJson(one);
    return (after === null ? rest : { ...rest, [property]: after }) as unknown as Tile;
  });
  return { ...info, tiles };
}

/** The way back: it holds only while what was written still stands. */
export function inverse(cells: readonly BoardCell[]): BoardCell[] {
  return cells.map((cell) => ({ ...cell, before: cell.after, after: cell.before })).toReversed();
}

/** The call that writes the cells, with what was seen at each of their places. */
export function patchOf(cells: readonly BoardCell[]): PatchWallboardCall {
  const [set, base] = [sideOf(cells, "after"), sideOf(cells, "before")];
  return { ...set, base };
}

type Sides = Omit<PatchWallboardCall, "base" | "version" | "tiles"> & {
  tiles?: Record<string, Record<string, Json> | null>;
};

function sideOf(cells: readonly BoardCell[], side: "before" | "after"): Sides {
  const own: Record<string, Json> = {};
  const tiles: Record<string, Record<string, Json> | null> = {};
  for (const { tile, property, [side]: value } of cells) {
    if (tile === null) own[property ?? ""] = value;
    else if (property === null) tiles[tile] = value as Record<string, Json> | null;
    else tiles[tile] = { ...tiles[tile], [property]: value };
  }
  return { ...(own as Sides), ...(Object.keys(tiles).length > 0 && { tiles }) };
}

/** Whether two JSON values say the same; the order of keys says nothing. */
export function sameJson(a: Json, b: Json): boolean {
  return inOrder(a) === inOrder(b);
}

function inOrder(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function asJson(tile: Tile): Record<string, Json> {
  return tile as unknown as Record<string, Json>;
}
