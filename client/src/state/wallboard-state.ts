import { atom, type PrimitiveAtom } from "jotai/vanilla";
import type { ErrorCode } from "../../../shared/protocol/errors.ts";
import type { ShownBoard, TileFrame } from "../../../shared/protocol/frame.ts";
import type { Proof } from "../../../shared/protocol/freshness.ts";
import type { NoticeMessage } from "../../../shared/protocol/signals.ts";

/**
 * A board as this page shows it. `live`: it is followed; `cut`: there is no connection; `refused`: I may
 * not see it, or it is gone. How fresh the values are says `proof` alone (shared/protocol/freshness.ts).
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

/** What is known of a board that this page follows; its draft is another thing than what is published. */
export function wallboardAtom(board: string, draft: boolean): PrimitiveAtom<WallboardView> {
  const key = `${draft ? "draft" : "shown"} ${board}`;
  const known = wallboards.get(key);
  if (known) return known;
  const made = atom(emptyWallboard) as PrimitiveAtom<WallboardView>;
  wallboards.set(key, made);
  return made;
}

/** What the server tells when a wallboard was made, changed, published or removed. */
export type WallboardUpdate = Extract<NoticeMessage, { kind: "wallboard" }>;

/** The last of that. */
export const wallboardUpdateAtom = atom<WallboardUpdate | null>(null);
