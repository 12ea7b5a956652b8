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

/**
 * Other servers run the same code, or nearly so during an upgrade: what is not understood is not heard. Looked at
 * only as far as hearing it relies on; what a plan asks is judged when it is worked out.
 */
export function readTilesMessage(message: unknown): TilesMessage | null {
  if (!isObject(message)) return null;
  switch (message.kind) {
    case "ask":
      return { kind: "ask" };
    case "want":
      return isListOf(message.scenes, isPlan) ? (message as TilesMessage) : null;
    case "frame":
      return isFrame(message.frame) ? (message as TilesMessage) : null;
    case "proven":
      return isObject(message.proofs) && isListOf(Object.values(message.proofs), isProof)
        ? (message as TilesMessage)
        : null;
    default:
      return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isPlan(value: unknown): boolean {
  return isObject(value) && typeof value.key === "string" && isListOf(value.tiles, isObject);
}

function isFrame(value: unknown): boolean {
  return isObject(value) && isPosition(value.position) && isObject(value.tiles);
}

function isProof(value: unknown): boolean {
  return isObject(value) && isPosition(value.position) && typeof value.asOf === "string";
}

function isPosition(value: unknown): boolean {
  return isObject(value) && isListOf(Object.values(value), isObject);
}
