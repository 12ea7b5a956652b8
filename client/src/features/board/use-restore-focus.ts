import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps the focus on a card that goes to another column, whoever moves it: it is another element there. What the
 * person has left themselves is not gone back to.
 */
export function useRestoreFocus(board: RefObject<HTMLElement | null>): {
  onFocus(event: { target: Element }): void;
  onBlur(): void;
} {
  const focused = useRef<string | null>(null);
  // After every drawing: React tells no blur of what it takes away itself.
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
