import type { Tile, TileKind, TileOf } from "../../../../../shared/model/wallboard/tile.ts";
import type { Source } from "./new-tile.ts";

/** The properties of a part of the tile form. */
export interface PartProps<T extends Tile = Tile> {
  tile: T;
  /** The tile's table; the first table for tiles without one. */
  source: Source;
  /** Sets properties; undefined removes one. */
  onChange(change: { [K in keyof T]?: T[K] | undefined }): void;
}

export type KindProps<K extends TileKind> = PartProps<TileOf<K>>;

/** The tile with changed properties; undefined ones are removed. */
export function changed<T extends Tile>(tile: T, change: object): T {
  const entries = Object.entries({ ...tile, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown as T;
}
