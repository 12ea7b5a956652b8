import { type Difference, diff } from "../../../../shared/document/diff.ts";
import {
  type DocumentNode,
  isSame,
  type MaybeNode,
  nodeAt,
  toJson,
  withNode,
} from "../../../../shared/document/document-node.ts";
import type { Edit } from "../../../../shared/document/edit-history.ts";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Tile } from "../../../../shared/model/wallboard/tile.ts";
import type { WallboardDocument } from "../../../../shared/model/wallboard/wallboard.ts";
import {
  treeToWallboard,
  wallboardToTree,
} from "../../../../shared/model/wallboard/wallboard-tree.ts";
import type { PatchWallboardCall, WallboardInfo } from "../../../../shared/protocol/wallboards.ts";

/** What a designer may change of a wallboard. */
export type EditedWallboard = Pick<WallboardInfo, keyof WallboardDocument>;

/** The wallboard with a tile changed or added. */
export function withTile<T extends EditedWallboard>(wallboard: T, tile: Tile): T {
  const isKnown = wallboard.tiles.some(({ id }) => id === tile.id);
  const tiles = isKnown
    ? wallboard.tiles.map((one) => (one.id === tile.id ? tile : one))
    : [...wallboard.tiles, tile];
  return { ...wallboard, tiles };
}

export function withoutTile<T extends EditedWallboard>(wallboard: T, id: string): T {
  return { ...wallboard, tiles: wallboard.tiles.filter((tile) => tile.id !== id) };
}

/** The wallboard as a tree says it; what has not changed stays the same object. */
export function withTree(info: WallboardInfo, tree: DocumentNode): WallboardInfo {
  const before = wallboardToTree(info);
  if (isSame(before, tree)) return info;
  const { tiles, ...properties } = treeToWallboard(tree);
  const isUnchanged = (id: string) =>
    isSame(nodeAt(before, ["tiles", id]), nodeAt(tree, ["tiles", id]));
  const known = new Map(info.tiles.map((tile) => [tile.id, tile]));
  const merged = tiles.map((tile) => (isUnchanged(tile.id) ? (known.get(tile.id) ?? tile) : tile));
  // A property without a value is not in a tree.
  return { ...info, ...properties, zone: properties.zone ?? null, tiles: merged };
}

/** Both sides of an edit as JSON: only the properties and the whole tiles that it changes. */
export function changedParts({ from, to }: Edit<DocumentNode>): Edit<Partial<WallboardDocument>> {
  const paths = diff(from, to).map(({ path }) => path.slice(0, 2));
  const partOf = (tree: DocumentNode) => {
    const add = (part: DocumentNode, path: string[]) =>
      withNode(part, path, nodeAt(tree, path)) ?? part;
    return treeToWallboard(paths.reduce(add, wallboardToTree({})));
  };
  return { from: partOf(from), to: partOf(to) };
}

/** The call that writes differences, with what was seen in the place of each. */
export function patchOf(differences: readonly Difference[]): PatchWallboardCall {
  return { ...sideOf(differences, "to"), base: sideOf(differences, "from") };
}

/** What an edit writes, to be copied: a text as it is, anything else as JSON. */
export function editText({ from, to }: Edit<DocumentNode>): string {
  const differences = diff(from, to);
  const [text, ...others] = differences.map(({ to: node }) => wireValue(node));
  if (typeof text === "string" && others.length === 0) return text;
  return JSON.stringify(sideOf(differences, "to"), null, 2);
}

type PatchSide = Omit<PatchWallboardCall, "base" | "version" | "tiles"> & {
  tiles?: Record<string, Record<string, Json> | null>;
};

function sideOf(differences: readonly Difference[], side: "from" | "to"): PatchSide {
  const own: Record<string, Json> = {};
  const tiles: NonNullable<PatchSide["tiles"]> = {};
  for (const { path, [side]: node } of differences) {
    const [part = "", tile, property] = path;
    if (tile === undefined) own[part] = wireValue(node);
    else if (property === undefined) tiles[tile] = wireValue(node) as Record<string, Json> | null;
    else tiles[tile] = { ...tiles[tile], [property]: wireValue(node) };
  }
  return { ...own, ...(Object.keys(tiles).length > 0 && { tiles }) };
}

/** Absent is `null` on the wire. */
const wireValue = (node: MaybeNode): Json => toJson(node) ?? null;
