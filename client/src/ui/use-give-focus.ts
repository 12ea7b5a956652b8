import { type RefCallback, useCallback } from "react";

/**
 * The ref of a part of a panel, a dialog or a page. If it goes away while something in it has the focus, as a decision that was made, the input
 * with this id takes the focus, or else the panel or the dialog, so that its keys go on working, or else the page.
 */
export function useGiveFocus(input?: string): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement) => () => {
      if (!element.contains(document.activeElement)) return;
      const to = input === undefined ? null : document.getElementById(input);
      (to ?? element.closest<HTMLElement>('aside, [role="dialog"], main'))?.focus({
        preventScroll: true,
      });
    },
    [input],
  );
}
