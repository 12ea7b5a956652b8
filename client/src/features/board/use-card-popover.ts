import { type RefObject, useCallback, useEffect, useState } from "react";
import { cardsOf, findCard } from "./use-restore-focus.ts";

/** A card with an open popover, and the element that it is beside. */
export interface OpenCard {
  record: string;
  element: HTMLElement;
}

/**
 * A popover beside an element of a card. It follows the card to another column, gives the focus back to it, and closes where the card
 * has left the board: then the first card takes the focus.
 */
export function useCardPopover(board: RefObject<HTMLElement | null>): {
  open: OpenCard | null;
  show(record: string, element: HTMLElement): void;
  close(): void;
} {
  const [shown, setShown] = useState<OpenCard | null>(null);
  const element = shown && elementOf(board.current, shown);
  const close = useCallback(() => {
    setShown(null);
    if (!shown) return;
    const first = cardsOf(board.current)[0]?.querySelector("a");
    (elementOf(board.current, shown) ?? first)?.focus();
  }, [board, shown]);
  const isGone = shown !== null && element === null;
  useEffect(() => {
    if (isGone) close();
  }, [isGone, close]);
  return {
    open: shown && element && { record: shown.record, element },
    show: (record, beside) => setShown({ record, element: beside }),
    close,
  };
}

/** The card is another element in another column, and its button may go away with an edit. Null where the card has gone. */
function elementOf(board: HTMLElement | null, { record, element }: OpenCard): HTMLElement | null {
  return element.isConnected ? element : (findCard(board, record)?.querySelector("a") ?? null);
}
