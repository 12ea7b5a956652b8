import {
  branch,
  childrenOf,
  type DocumentNode,
  leaf,
  nodeAt,
  toJson,
  unset,
} from "../../document/document-node.ts";
import type { Json } from "../../filter/filter.ts";
import type { Tile } from "./tile.ts";
import type { WallboardDocument } from "./wallboard.ts";

type TilePatch = Readonly<Record<string, Json>> | null;

/** A wallboard, or the changed part of one: tiles by id with some of their properties. */
type PartialWallboard = Partial<
  Record<"name" | "grid" | "zone" | "theme", Json | object | undefined>
> & {
  tiles?: readonly Tile[] | Readonly<Record<string, TilePatch>> | undefined;
};

/** A wallboard as a document tree: its own properties, and those of each tile. `null` equals an absent property. */
export function wallboardToTree({
  name,
  grid,
  zone,
  theme,
  tiles = [],
}: PartialWallboard): DocumentNode {
  const entries = Array.isArray(tiles)
    ? tiles.map((tile: Tile) => [tile.id, tile] as const)
    : Object.entries(tiles);
  return branch([
    ...nodesOf({ name, grid, zone, theme }),
    [
      "tiles",
      branch(
        entries.map(([id, tile]) => [id, tile ? branch(nodesOf(tile)) : unset(null)] as const),
      ),
    ],
  ]);
}

function nodesOf(properties: object): [string, DocumentNode][] {
  return Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value === null ? unset(null) : leaf(value)]],
  );
}

/** The wallboard of a whole tree. It is not validated. */
export function treeToWallboard(tree: DocumentNode): WallboardDocument {
  const { tiles: _, ...properties } = toJson(tree) as Record<string, Json>;
  const tiles = [...childrenOf(nodeAt(tree, ["tiles"]))].map(([id, tile]) => ({
    id,
    ...(toJson(tile) as Record<string, Json>),
  }));
  return { ...properties, tiles } as unknown as WallboardDocument;
}
