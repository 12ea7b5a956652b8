import type { ColumnValue } from "./grouping.ts";

/** What a person does on the board, by mouse or keyboard. */
export interface BoardActions {
  /** The address of the board with the panel of a record. */
  addressOf(record: string): string;
  onOpenMenu(record: string, element: HTMLElement): void;
  /** Asks what became of a change of mine. */
  onShowEditStatus(record: string, element: HTMLElement): void;
  onFocus(record: string): void;
  onDrag(record: string | null): void;
  onDrop(value: ColumnValue): void;
  onShowMore(value: ColumnValue): void;
}
