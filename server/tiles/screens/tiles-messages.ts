import type { BoardPosition, FrameMessage } from "../../../shared/protocol/frame.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";

/** What servers tell each other of tiles, on one channel of the bus. */
export const TILES_CHANNEL = "tiles";

export interface Proof {
  position: BoardPosition;
  /** Everything that was committed up to then is in the figures; by the clock of who proved it. */
  asOf: string;
  /** Which figures are proven (engine/figures-print.ts): who shows others has lost a frame. */
  figures: string;
}

export type TilesMessage =
  /** Screens of the sender show these; `again`: but not what was proven of them. */
  | { kind: "want"; scenes: ScenePlan[]; again?: boolean }
  /** The sender works the tiles out from now on: who wants what? */
  | { kind: "ask" }
  | { kind: "frame"; scene: string; frame: FrameMessage }
  | { kind: "proven"; proofs: Record<string, Proof> };

const kinds = new Set(["want", "ask", "frame", "proven"]);

/** Other servers run the same code, or nearly so during an upgrade: what is not understood is not heard. */
export function readTilesMessage(message: unknown): TilesMessage | null {
  const kind = (message as { kind?: unknown } | null)?.kind;
  return typeof kind === "string" && kinds.has(kind) ? (message as TilesMessage) : null;
}
