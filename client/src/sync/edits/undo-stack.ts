import type { PrimitiveAtom } from "../../state/atom-store.ts";

/** Records that undo left alone because somebody has changed them since, or has made the change before. */
export interface UndoSkip {
  table: string;
  record: string;
  fields: string[];
  /** Who has changed them; null where the server does not say. */
  by: string | null;
  /**
   * The code of the refusal. `replaced`: the record is gone, and another one has its id. `record_changed`: it is not deleted,
   * because somebody has changed it since. `already_restored`, `unchanged`: there was nothing to do.
   */
  code: string;
}

/** A change that was undone or redone. */
export interface UndoneChange {
  kind: "update" | "create" | "delete" | "restore" | "transition";
  table: string;
  record: string;
  fields: string[];
}

/** Which steps: those of a table, or the one that an edit answered. */
export interface UndoScope {
  table?: string;
  batch?: string;
}

export interface UndoReport {
  done: number;
  /** What was done, in the order of its doing. */
  changes: UndoneChange[];
  skipped: UndoSkip[];
}

export interface UndoState {
  canUndo: boolean;
  canRedo: boolean;
}

/**
 * This tab's undo and redo. Undo is an ordinary edit whose base is the value I wrote, in the record as of the version that I
 * wrote: it can't overwrite anybody, nor reach another record of the same id. It skips and names. What it did not do itself is
 * not redone.
 */
export interface UndoStack {
  readonly stateAtom: PrimitiveAtom<UndoState>;
  /** Resolves when the server has answered; null when there is nothing to undo. */
  undo(scope?: UndoScope): Promise<UndoReport> | null;
  redo(scope?: UndoScope): Promise<UndoReport> | null;
  /** The record was created in order to be linked to: the next edit that does so is undone together with it. */
  joinLink(record: string): void;
  /** Whether there is a step of the table. */
  tableAtom(table: string): PrimitiveAtom<UndoState>;
}
