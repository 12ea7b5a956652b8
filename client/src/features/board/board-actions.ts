import type { ColumnValue } from "./grouping.ts";

/** The actions on the board, by mouse or keyboard. */
export interface BoardActions {
  /** The address of the board with the panel of a record. */
  addressOf(record: string): string;
  onOpenMenu(record: string, element: HTMLElement): void;
  /** Opens the status of the user's own edit: conflict or rejected. */
  onShowEditStatus(record: string, element: HTMLElement): void;
  onFocus(record: string): void;
  onDrag(record: string | null): void;
  onDrop(value: ColumnValue): void;
  onShowMore(value: ColumnValue): void;
  /** Whether a new record can begin in a column. */
  canAdd(value: ColumnValue): boolean;
  /** Begins a record with the value of a column, as a draft, and opens it. */
  onAdd(value: ColumnValue): void;
}
