import { atom, type PrimitiveAtom } from "jotai/vanilla";
import type { Conflict } from "../../../shared/document/merge.ts";
import type { WallboardInfo } from "../../../shared/protocol/wallboards.ts";

/** A board in the designer: its draft with my edits that are still on the way. */
export interface DraftState {
  phase: "loading" | "ready" | "gone";
  info: WallboardInfo | null;
  /** Edits that the server has not answered. */
  waiting: number;
  /** Changes of the user that conflict with those of another one. They are not saved. */
  conflicts: readonly Conflict[];
  /** Why the last thing asked for did not happen. */
  problem: string | null;
  canUndo: boolean;
  canRedo: boolean;
}

const noDraft: DraftState = {
  phase: "loading",
  info: null,
  waiting: 0,
  conflicts: [],
  problem: null,
  canUndo: false,
  canRedo: false,
};

const drafts = new Map<string, PrimitiveAtom<DraftState>>();

/** The draft of one board; loading until a designer opens it. */
export function draftAtom(board: string): PrimitiveAtom<DraftState> {
  const known = drafts.get(board);
  if (known) return known;
  const made = atom(noDraft) as PrimitiveAtom<DraftState>;
  drafts.set(board, made);
  return made;
}
