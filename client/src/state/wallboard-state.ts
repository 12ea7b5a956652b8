import { atom, type PrimitiveAtom } from "jotai/vanilla";
import type { ErrorCode } from "../../../shared/protocol/errors.ts";
import type { ShownBoard, TileFrame } from "../../../shared/protocol/frame.ts";
import type { Proof } from "../../../shared/protocol/freshness.ts";

/**
 * The phase of a followed board. `live`: subscribed; `cut`: no connection; `refused`: not visible to the user, or deleted.
 * Only `proof` says how fresh the values are (shared/protocol/freshness.ts).
 */
export interface WallboardView {
  phase: "waiting" | "live" | "cut" | "refused";
  refusal: ErrorCode | null;
  board: ShownBoard | null;
  tiles: Readonly<Record<string, TileFrame>>;
  /** Up to when the values are confirmed; null before the first frame. */
  proof: Proof | null;
}

export const emptyWallboard: WallboardView = {
  phase: "waiting",
  refusal: null,
  board: null,
  tiles: {},
  proof: null,
};

const wallboards = new Map<string, PrimitiveAtom<WallboardView>>();

/** The published version of a board that this page follows. */
export function wallboardAtom(board: string, draft: boolean): PrimitiveAtom<WallboardView> {
  const key = `${draft ? "draft" : "shown"} ${board}`;
  const known = wallboards.get(key);
  if (known) return known;
  const made = atom(emptyWallboard) as PrimitiveAtom<WallboardView>;
  wallboards.set(key, made);
  return made;
}
