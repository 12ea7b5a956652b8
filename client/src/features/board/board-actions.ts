/** What a person does on the board, by mouse or keyboard. */
export interface BoardActions {
  onOpen(record: string): void;
  onMenu(record: string, element: HTMLElement): void;
  onFocus(record: string): void;
  onDrag(record: string | null): void;
  onDrop(state: string): void;
  onMore(state: string): void;
}
