import type { PrimitiveAtom } from "jotai/vanilla";
import type { ErrorCode } from "../../../shared/protocol/errors.ts";
import type {
  ShownWallboard,
  TileFrame,
  WallboardPosition,
} from "../../../shared/protocol/frame.ts";
import type { Proof } from "../../../shared/protocol/freshness.ts";
import { atomFamily } from "./atom-family.ts";

/**
 * A followed wallboard. Its phase is `live` while it is subscribed, `disconnected` without a connection, and `refused` if
 * it was deleted or the user may not see it. Only `proof` says how fresh the values are (shared/protocol/freshness.ts).
 */
export interface WallboardView {
  phase: "waiting" | "live" | "disconnected" | "refused";
  refusal: ErrorCode | null;
  board: ShownWallboard | null;
  tiles: Readonly<Record<string, TileFrame>>;
  /** The position of the values in the feeds that they come from. */
  position: WallboardPosition;
  /** The time up to which the values are confirmed; null before the first frame. */
  proof: Proof | null;
}

export const emptyWallboard: WallboardView = {
  phase: "waiting",
  refusal: null,
  board: null,
  tiles: {},
  position: {},
  proof: null,
};

const wallboards = atomFamily(emptyWallboard);

/** The published version of a wallboard that this page follows. */
export function wallboardAtom(wallboard: string, draft: boolean): PrimitiveAtom<WallboardView> {
  return wallboards(`${draft ? "draft" : "shown"} ${wallboard}`);
}
