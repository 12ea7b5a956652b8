import { deepEqual } from "../../../shared/document/deep-equal.ts";
import { applyMergePatch } from "../../../shared/document/document-node.ts";
import { findConflicts } from "../../../shared/document/merge.ts";
import { englishOnly } from "../../../shared/error-texts/explain.ts";
import type { Tile } from "../../../shared/model/wallboard/tile.ts";
import {
  type WallboardDocument,
  wallboardDocumentSchema,
} from "../../../shared/model/wallboard/wallboard.ts";
import {
  treeToWallboard,
  wallboardToTree,
} from "../../../shared/model/wallboard/wallboard-tree.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { PatchWallboardCall } from "../../../shared/protocol/wallboards.ts";
import { refuseConflicts } from "../../policy/refuse-conflicts.ts";
import type { Wallboard } from "./stored-wallboard.ts";

/**
 * Merges a change into a wallboard's draft. Tiles merge property by property, so two users who change different
 * things both succeed; if `base` differs from what is stored, it is a `conflict`.
 */
export function patchWallboard(wallboard: Wallboard, call: PatchWallboardCall, overwrite: boolean) {
  const { base, tiles, version, ...properties } = call;
  const list = Array.isArray(tiles) ? tiles : null;
  const stored = wallboardToTree(wallboard.draft);
  const change = wallboardToTree({ ...properties, ...(!list && { tiles }) });
  const conflicts = base ? findConflicts(wallboardToTree(base), change, stored) : [];
  refuseConflicts(conflicts, wallboard.updated, { version: wallboard.version });
  if (list) requireVersion(wallboard, version, overwrite);
  const merged = treeToWallboard(applyMergePatch(stored, change) ?? stored);
  const parsed = wallboardDocumentSchema.safeParse(list ? { ...merged, tiles: list } : merged);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 20).map((issue) => ({
    path: issue.path.map(String),
    message: issue.message,
  }));
  const [first] = issues;
  const explanation = englishOnly(`${first?.path.join(".")}: ${first?.message}.`);
  throw new Refusal("invalid_request", { in: "body", issues }, explanation);
}

/** The changed tiles of a change. */
export function changedTiles(before: WallboardDocument, after: WallboardDocument): Tile[] {
  return after.tiles.filter((tile) => {
    const known = before.tiles.find(({ id }) => id === tile.id);
    return !deepEqual(known, tile);
  });
}

/** A list would replace tiles that its author may never have seen. */
function requireVersion(
  { version }: Wallboard,
  baseValue: number | undefined,
  overwrite: boolean,
): void {
  if (overwrite) return;
  if (baseValue === undefined) throw new Refusal("base_required", { field: "version" });
  if (baseValue !== version) throw new Refusal("conflict", { version });
}
