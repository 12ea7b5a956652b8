import { atom, type PrimitiveAtom } from "jotai/vanilla";
import type { Json } from "../../../shared/filter/filter.ts";
import type { WallboardInfo } from "../../../shared/protocol/wallboards.ts";

/** A property of a tile that I changed while somebody else did too: nothing of mine was written there. */
export interface BoardConflict {
  /** Null where the board itself was meant. */
  tile: string | null;
  property: string | null;
  before: Json;
  mine: Json;
  theirs: Json;
}

/** A board in the designer: its draft with my edits that are still on the way. */
export interface DraftState {
  phase: "loading" | "ready" | "gone";
  info: WallboardInfo | null;
  /** Edits of mine that the server has not answered yet. */
  waiting: number;
  conflicts: readonly BoardConflict[];
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
