import { type RefObject, useLayoutEffect, useRef } from "react";

/** Where a card was when it got the focus. */
interface FocusedCard {
  record: string;
  column: HTMLElement | null;
  row: number;
}

/**
 * Keeps the focus on a card that moves to another column, where it is another element. If the card has gone, one near it takes the
 * focus. Does not return to a card that the user has left.
 */
export function useRestoreFocus(board: RefObject<HTMLElement | null>): {
  onFocus(event: { target: Element }): void;
  onBlur(): void;
} {
  const focused = useRef<FocusedCard | null>(null);
  // After every render, because React sends no blur event for elements that it removes.
  useLayoutEffect(() => {
    if (focused.current === null || document.activeElement !== document.body) return;
    const { record, column, row } = focused.current;
    const near = cardsOf(column);
    const card = findCard(board.current, record) ?? near[Math.min(row, near.length - 1)];
    (card ?? cardsOf(board.current)[0])?.querySelector<HTMLElement>("a")?.focus();
  });
  return {
    onFocus: ({ target }) => {
      const card = target.closest<HTMLElement>("[data-card]");
      const column = target.closest<HTMLElement>("[data-column]");
      const record = card?.dataset.card;
      focused.current =
        card && record !== undefined
          ? { record, column, row: cardsOf(column).indexOf(card) }
          : null;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}

/** The card of a record, as far as it is on the board. */
export function findCard(board: HTMLElement | null, record: string): HTMLElement | null {
  return board?.querySelector<HTMLElement>(`[data-card="${CSS.escape(record)}"]`) ?? null;
}

/** The cards of a column, or of the whole board. */
export function cardsOf(part: HTMLElement | null): HTMLElement[] {
  return [...(part?.querySelectorAll<HTMLElement>("[data-card]") ?? [])];
}
