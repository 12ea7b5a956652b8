import { type RefCallback, useCallback } from "react";
import type { GridController } from "../grid-controller.ts";
import { takeFocus } from "./grid-focus.ts";

/** The ref of an element with buttons. If it goes off the screen while one of them has the focus, the grid takes the focus. */
export function useFocusToGrid(grid: GridController): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement) => () => {
      if (element.contains(document.activeElement)) takeFocus(grid);
    },
    [grid],
  );
}
