import type { PrimitiveAtom } from "../../state/atom-store.ts";

/** Records that undo left alone because somebody has changed them since. */
export interface UndoSkip {
  table: string;
  record: string;
  fields: string[];
  /** "changed by X since"; null where the server does not say. */
  by: string | null;
  code: string;
}

export interface UndoReport {
  done: number;
  skipped: UndoSkip[];
}

export interface UndoState {
  canUndo: boolean;
  canRedo: boolean;
}

/**
 * This tab's undo and redo. Undo is an ordinary edit whose base is the value I wrote: it can't
 * overwrite anybody, it skips and names.
 */
export interface UndoStack {
  readonly stateAtom: PrimitiveAtom<UndoState>;
  /** Settles when the server has answered; null when there is nothing to undo. */
  undo(): Promise<UndoReport> | null;
  redo(): Promise<UndoReport> | null;
}
