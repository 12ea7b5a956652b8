import { type RefCallback, type RefObject, useCallback, useLayoutEffect, useRef } from "react";

/** Where a card was when it got the focus. */
interface FocusedCard {
  record: string;
  column: HTMLElement | null;
  row: number;
}

/** The first card of the board. */
const anyCard: FocusedCard = { record: "", column: null, row: 0 };

/**
 * Keeps the focus on a card that moves to another column, where it is another element. If the card has gone, one near it takes the
 * focus. Does not return to a card that the user has left. If the button of the notice in the place of the board goes while it has the focus,
 * the first card takes it, or the same button of the next notice.
 */
export function useRestoreFocus(board: RefObject<HTMLElement | null>): {
  onFocus(event: { target: Element }): void;
  onBlur(): void;
  retryRef: RefCallback<HTMLElement>;
} {
  const focused = useRef<FocusedCard | null>(null);
  // After every render, because React sends no blur event for elements that it removes.
  useLayoutEffect(() => {
    const isFree = document.activeElement === document.body;
    if (!isFree && focused.current === anyCard) focused.current = null;
    if (focused.current === null || !isFree) return;
    const { record, column, row } = focused.current;
    const near = cardsOf(column);
    const card = findCard(board.current, record) ?? near[Math.min(row, near.length - 1)];
    (card ?? cardsOf(board.current)[0])?.querySelector<HTMLElement>("a")?.focus();
  });
  const retryRef = useCallback((button: HTMLElement) => {
    if (focused.current === anyCard && document.activeElement === document.body) button.focus();
    return () => {
      if (document.activeElement === button) focused.current = anyCard;
    };
  }, []);
  return {
    retryRef,
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
