import type { Json } from "../../../shared/filter/filter.ts";
import type { Values } from "../../../shared/model/model.ts";
import type { Author } from "../../../shared/protocol/record.ts";

/** Names one op of one mutation: what `PendingEdits` takes to resolve, retry or drop it. */
export interface EditRef {
  /** The mutation's id. */
  mutation: string;
  /** The op's place in the mutation. */
  index: number;
}

/** The truth about a cell that is not simply confirmed. A confirmed cell has no state. */
export type CellState =
  | { kind: "pending"; edit: EditRef }
  | {
      kind: "conflict";
      edit: EditRef;
      /** What I saw when I began, what I wrote, and what stands now (kept current). */
      base: Json;
      mine: Json;
      theirs: Json;
      by: Pick<Author, "kind" | "id" | "name"> | null;
      at: string | null;
    }
  | { kind: "rejected"; edit: EditRef; mine: Json; code: string; message: string };

/**
 * Why a record is shown although it no longer belongs where it stands. `gone`: no longer matches;
 * `moved`: would sort elsewhere; `deleted`: deleted, or out of my sight - its values are purged.
 */
export type RecordMark = "gone" | "moved" | "deleted";

/** A refused create, delete or transition: concerns the record as a whole. */
export interface RecordProblem {
  edit: EditRef;
  code: string;
  message: string;
  /** The refusal's machine-readable rest, such as `fields` of `validation_failed`. */
  detail: Readonly<Record<string, unknown>>;
}

/**
 * A record as the screen shows it: confirmed values with the pending overlay on top. A new object
 * for every visible difference, the same object otherwise: compare by identity.
 */
export interface RecordView {
  readonly id: string;
  readonly values: Readonly<Values>;
  /** Confirmed values, where the overlay hides them: the base of an edit is what the person saw. */
  readonly confirmed: Readonly<Values> | null;
  /** `"<epoch>.<seq>"`, for deletes; null while a create is pending. */
  readonly version: string | null;
  readonly cells: Readonly<Record<string, CellState>>;
  /** `draft`: a new record that is not sent yet, because it still needs a field. */
  readonly pending: "draft" | "create" | "delete" | "transition" | null;
  readonly problem: RecordProblem | null;
  readonly mark: RecordMark | null;
  /** Who deleted it, or made it leave my sight; where it is known. */
  readonly markedBy?: string | null;
}
