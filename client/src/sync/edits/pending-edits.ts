import type { Json } from "../../../../shared/filter/filter.ts";
import type { Values } from "../../../../shared/model/model.ts";
import type { Author, ClientOrigin } from "../../../../shared/protocol/record.ts";
import type { EditRef } from "../../state/record-view.ts";

/** The outcome of one op, in the order of the call. */
export type EditOutcome =
  | {
      kind: "confirmed";
      record: string;
      seq: number;
      /** There was nothing to change; `by` has restored the record before. */
      unchanged?: true;
      by?: Author;
    }
  | {
      kind: "refused";
      record: string;
      code: string;
      message: string;
      detail: Readonly<Record<string, unknown>>;
    }
  | { kind: "dropped"; record: string }
  /** Written into a draft, which still needs something before it is sent. */
  | { kind: "draft"; record: string };

/** How an edit came about; an `edit` is of the grid, or of an API token. */
export type EditOrigin = ClientOrigin | "edit";

/** One record's share of an edit: `base` holds, for each field of `set`, the value the user saw. */
export interface RecordEdit {
  record: string;
  set: Values;
  base: Values;
}

/** A group of rows: a field, and the value that its records have. */
export interface GroupPlace {
  field: string;
  key: Json;
}

/** Accepted: shown at once and stored; `outcome` resolves when the server has answered, however late. */
export interface SubmittedEdit {
  record: string;
  refs: readonly EditRef[];
  outcome: Promise<EditOutcome>;
}

/** Many at once: as many mutations as the limit asks for, one entry on the undo stack. */
export interface SubmittedEdits {
  /** Names the step, for its undo. */
  batch: string;
  outcomes: Promise<EditOutcome[]>;
}

/**
 * The user's own edits, from their start to their end:
 * pending → confirmed | conflict → (mine | theirs) | rejected → (retry | drop).
 *
 * Stored before they are sent, sent in order per record, and sent again with the same id until
 * answered. The overlay of an edit lasts until the table's position reaches its `seq`.
 */
export interface PendingEdits {
  edit(table: string, edit: RecordEdit, origin?: EditOrigin): SubmittedEdit;
  editMany(table: string, edits: readonly RecordEdit[], origin?: EditOrigin): SubmittedEdits;
  /** `record` for a table whose ids users choose; otherwise an id is generated. */
  create(table: string, values: Values, record?: string): SubmittedEdit;
  createMany(
    table: string,
    values: readonly Values[],
    /** By default a step of its own. */
    step?: { origin?: EditOrigin; batch?: string },
  ): SubmittedEdits & {
    /** The ids under which the records are shown. */
    records: readonly string[];
  };
  /**
   * Begins a new record that is stored in this browser until its required fields are filled, and is created with
   * the edit that fills the last of them. Returns the id under which it is shown.
   */
  draft(table: string, values: Values, begunIn?: GroupPlace | null): string;
  /** The group that a draft was begun in, if it was one. */
  begunIn(table: string, record: string): GroupPlace | undefined;
  /** The id of a record now: a draft may be given another one when it is created. */
  currentId(table: string, record: string): string;
  /** Throws a draft away; the answer brings it back. */
  discard(table: string, record: string): () => void;
  /** `version` for a record that is not followed here. */
  delete(table: string, record: string, version?: string): SubmittedEdit;
  deleteMany(table: string, records: readonly string[]): SubmittedEdits;
  transition(
    table: string,
    record: string,
    step: { transition: string; from: string; set?: Values; base?: Values; reason?: string },
    origin?: EditOrigin,
  ): SubmittedEdit;
  /**
   * Resolves one field of a conflict: `mine` overwrites the value that was `shown` as theirs, by default the newest known one.
   * Another value is a new conflict.
   */
  resolve(edit: EditRef, field: string, choice: "mine" | "theirs", shown?: Json): void;
  /** Sends a rejected op again as a new mutation. */
  retry(edit: EditRef): void;
  /** Forgets a refused op, or one field of it. */
  drop(edit: EditRef, field?: string): void;
}
