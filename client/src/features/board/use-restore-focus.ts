import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps the focus on a card that moves to another column, where it is another element. Does not return to a card that
 * the user has left.
 */
export function useRestoreFocus(board: RefObject<HTMLElement | null>): {
  onFocus(event: { target: Element }): void;
  onBlur(): void;
} {
  const focused = useRef<string | null>(null);
  // After every render, because React sends no blur event for elements that it removes.
  useLayoutEffect(() => {
    const record = focused.current;
    if (record === null || document.activeElement !== document.body) return;
    const card = board.current?.querySelector(`[data-card="${CSS.escape(record)}"]`);
    card?.querySelector<HTMLElement>("a")?.focus();
  });
  return {
    onFocus: ({ target }) => {
      focused.current = target.closest("[data-card]")?.getAttribute("data-card") ?? null;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}
