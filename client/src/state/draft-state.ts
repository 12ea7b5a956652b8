import type { Conflict } from "../../../shared/document/merge.ts";
import type { WallboardInfo } from "../../../shared/protocol/wallboards.ts";
import { atomFamily } from "./atom-family.ts";

/** A wallboard in the designer: its draft, with the user's edits that the server has not answered. */
export interface DraftState {
  phase: "loading" | "ready" | "gone";
  info: WallboardInfo | null;
  /** Edits that the server has not answered. */
  waiting: number;
  /** Changes of the user that conflict with those of another one. They are not saved. */
  conflicts: readonly Conflict[];
  /** Why the last action failed. */
  problem: string | null;
  canUndo: boolean;
  canRedo: boolean;
}

/** The state before the first read. */
export const noDraft: DraftState = {
  phase: "loading",
  info: null,
  waiting: 0,
  conflicts: [],
  problem: null,
  canUndo: false,
  canRedo: false,
};

/** The draft of one wallboard; loading until a designer opens it. */
export const draftAtom = atomFamily(noDraft);
