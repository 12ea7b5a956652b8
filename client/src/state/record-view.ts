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

/** The state of a cell that is not confirmed. */
export type CellState =
  | { kind: "pending"; edit: EditRef }
  | {
      kind: "conflict";
      edit: EditRef;
      /** The value when the edit began, the edited value, and the stored one, which follows every change. */
      base: Json;
      mine: Json;
      theirs: Json;
      by: Pick<Author, "kind" | "id" | "name"> | null;
      at: string | null;
    }
  | { kind: "rejected"; edit: EditRef; mine: Json; code: string; message: string };

/**
 * Why a record is shown in a place where it no longer belongs. `gone`: no longer matches the view; `moved`: sorts
 * elsewhere; `deleted`: deleted or no longer visible, so that its values are purged.
 */
export type RecordMark = "gone" | "moved" | "deleted";

/** A refused create, delete or transition: concerns the record as a whole. */
export interface RecordProblem {
  edit: EditRef;
  code: string;
  message: string;
  /** Details of the refusal, such as `fields` of `validation_failed`. */
  detail: Readonly<Record<string, unknown>>;
}

/**
 * A record as the screen shows it: confirmed values with the pending overlay. It is a new object if and only if something
 * visible has changed, so compare by identity.
 */
export interface RecordView {
  readonly id: string;
  readonly values: Readonly<Values>;
  /** Confirmed values, if the overlay hides them. The base of an edit is the value that the user saw. */
  readonly confirmed: Readonly<Values> | null;
  /** `"<epoch>.<seq>"`, for deletes; null while a create is pending. */
  readonly version: string | null;
  readonly cells: Readonly<Record<string, CellState>>;
  /** `draft`: a new record that is not sent yet, because it still needs a field. */
  readonly pending: "draft" | "create" | "delete" | "transition" | null;
  readonly problem: RecordProblem | null;
  readonly mark: RecordMark | null;
  /** Who deleted it or made it invisible, if known. */
  readonly markedBy?: string | null;
}
