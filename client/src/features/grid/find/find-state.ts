/** What the find bar shows. */
export interface FindState {
  isOpen: boolean;
  /** Whether the bar also shows what replaces the text. */
  isReplacing: boolean;
  /** How often the bar was opened: each time it takes the focus. */
  opened: number;
  text: string;
  /** What replaces the text. */
  replacement: string;
  /** Something was replaced, and nothing typed into the bar since: undo takes that back. */
  isReplaced: boolean;
  phase: "done" | "searching" | "failed";
  count: number;
  /** The place of the current match; -1 for none. */
  at: number;
  /** The view has more rows than are searched. */
  isBounded: boolean;
}

/** The bar is not shown, and nothing is searched for. */
export const closedFind: FindState = {
  isOpen: false,
  isReplacing: false,
  opened: 0,
  text: "",
  replacement: "",
  isReplaced: false,
  phase: "done",
  count: 0,
  at: -1,
  isBounded: false,
};

/** What is searched for. Spaces at its ends count only where they are replaced. */
export function searchedText({ text, isReplacing }: FindState): string {
  return isReplacing ? text : text.trim();
}
