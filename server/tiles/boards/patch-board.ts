import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../shared/filter/filter.ts";
import type { Tile } from "../../../shared/model/wallboard/tile.ts";
import {
  type WallboardDocument,
  wallboardDocumentSchema,
} from "../../../shared/model/wallboard/wallboard.ts";
import { type FieldConflict, Refusal } from "../../../shared/protocol/errors.ts";
import type { PatchWallboardCall } from "../../../shared/protocol/wallboards.ts";
import type { Board } from "./stored-board.ts";

type Properties = Record<string, Json>;
type TilePatches = Record<string, Properties | null>;
const plainParts = ["name", "grid", "zone", "theme"] as const;

/**
 * A board's draft with a change merged in. Tiles merge property by property, so two people who change
 * different things both win; where `base` says that something else was seen, it is `conflict`.
 */
export function patchBoard(board: Board, call: PatchWallboardCall, overwrite: boolean) {
  refuseConflicts(board, call);
  const merged: Record<string, unknown> = { ...board.draft };
  for (const part of plainParts) if (call[part] !== undefined) merged[part] = call[part];
  if (Array.isArray(call.tiles)) {
    requireVersion(board, call.version, overwrite);
    merged.tiles = call.tiles;
  } else if (call.tiles) merged.tiles = mergeTiles(board.draft.tiles, call.tiles);
  const parsed = wallboardDocumentSchema.safeParse(merged);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 20).map((issue) => ({
    path: issue.path.map(String),
    message: issue.message,
  }));
  const [first] = issues;
  const text = `${first?.path.join(".")}: ${first?.message}.`;
  throw new Refusal("invalid_request", { in: "body", issues }, text);
}

/** The tiles of a change that are other ones than before. */
export function changedTiles(before: WallboardDocument, after: WallboardDocument): Tile[] {
  return after.tiles.filter((tile) => {
    const known = before.tiles.find(({ id }) => id === tile.id);
    return !isDeepStrictEqual(known, tile);
  });
}

function mergeTiles(tiles: readonly Tile[], patches: TilePatches): unknown[] {
  const merged = tiles.flatMap((tile): unknown[] => {
    if (!Object.hasOwn(patches, tile.id)) return [tile];
    const patch = patches[tile.id];
    return patch ? [mergeTile(tile, patch)] : [];
  });
  const known = new Set(tiles.map(({ id }) => id));
  const added = Object.entries(patches).flatMap(([id, patch]) =>
    known.has(id) || !patch ? [] : [{ id, ...mergeTile({}, patch) }],
  );
  return [...merged, ...added];
}

function mergeTile(tile: object, patch: Properties): object {
  const whole = Object.entries({ ...tile, ...patch });
  return Object.fromEntries(whole.filter(([, value]) => value !== null));
}

/** A list takes the place of tiles that its author may never have seen. */
function requireVersion({ version }: Board, seen: number | undefined, overwrite: boolean): void {
  if (overwrite) return;
  if (seen === undefined) throw new Refusal("base_required", { field: "version" });
  if (seen !== version) throw new Refusal("conflict", { version });
}

function refuseConflicts(board: Board, { base, tiles, ...call }: PatchWallboardCall): void {
  const { at, by } = board.updated;
  const author = by && { kind: "user", ...by };
  const clashes: Record<string, FieldConflict> = {};
  const compare = (path: string, seen: unknown, mine: unknown, theirs: unknown) => {
    if (isDeepStrictEqual(seen, theirs ?? null) || isDeepStrictEqual(mine, theirs ?? null)) return;
    clashes[path] = { base: seen, mine, theirs: theirs ?? null, by: author, at };
  };
  for (const part of plainParts) {
    if (base?.[part] !== undefined) compare(part, base[part], call[part], board.draft[part]);
  }
  for (const [id, seen] of Object.entries(base?.tiles ?? {})) {
    const stored = board.draft.tiles.find((tile) => tile.id === id) as Properties | undefined;
    const mine = Array.isArray(tiles) ? undefined : tiles?.[id];
    if (seen === null || stored === undefined) compare(`tiles.${id}`, seen, mine, stored);
    else {
      for (const [name, value] of Object.entries(seen)) {
        compare(`tiles.${id}.${name}`, value, mine?.[name], stored[name]);
      }
    }
  }
  if (Object.keys(clashes).length > 0) {
    throw new Refusal("conflict", { fields: clashes, version: board.version });
  }
}
