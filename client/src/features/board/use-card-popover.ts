import { type RefObject, useCallback, useState } from "react";
import { cardsOf, findCard } from "./use-restore-focus.ts";

/** A card with an open popover, and the element that it is beside. */
export interface OpenCard {
  record: string;
  element: HTMLElement;
}

/** A popover beside an element of a card. It follows the card to another column, and gives the focus back to it. */
export function useCardPopover(board: RefObject<HTMLElement | null>): {
  open: OpenCard | null;
  show(record: string, element: HTMLElement): void;
  close(): void;
} {
  const [shown, setShown] = useState<OpenCard | null>(null);
  const close = useCallback(() => {
    setShown(null);
    if (shown) elementOf(board.current, shown).focus();
  }, [board, shown]);
  return {
    open: shown && { ...shown, element: elementOf(board.current, shown) },
    show: (record, element) => setShown({ record, element }),
    close,
  };
}

/** The card is another element in another column, and its button may go away with an edit. Where the card has gone, the first one. */
function elementOf(board: HTMLElement | null, { record, element }: OpenCard): HTMLElement {
  if (element.isConnected) return element;
  const card = findCard(board, record) ?? cardsOf(board)[0];
  return card?.querySelector("a") ?? element;
}
