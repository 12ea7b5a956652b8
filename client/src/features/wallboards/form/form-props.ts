import type { Tile, TileKind, TileOf } from "../../../../../shared/model/wallboard/tile.ts";
import type { Source } from "./new-tile.ts";

/** What a part of the tile form is drawn from. */
export interface PartProps<T extends Tile = Tile> {
  tile: T;
  /** The tile's table; the first one for tiles that have none. */
  source: Source;
  /** Writes properties; undefined takes one away. */
  onChange(change: { [K in keyof T]?: T[K] | undefined }): void;
}

export type KindProps<K extends TileKind> = PartProps<TileOf<K>>;

/** The tile with properties written; an undefined one is taken away. */
export function changed<T extends Tile>(tile: T, change: object): T {
  const entries = Object.entries({ ...tile, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown as T;
}
