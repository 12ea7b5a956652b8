import { type PointerEvent, type RefObject, useCallback } from "react";
import { usePointerDrag } from "../../ui/use-pointer-drag.ts";

/** The dragged item and the place before which it would be dropped, as indexes. */
interface Drag {
  from: number;
  before: number;
}

/**
 * Reorders a list by dragging its elements at their grips. The elements are the direct children of `list`. Escape
 * cancels. `OrderButtons` does the same by keyboard.
 */
export function useDragOrder(
  list: RefObject<HTMLElement | null>,
  onDrop: (from: number, to: number) => void,
) {
  const [drag, setDrag] = usePointerDrag<Drag>({
    move(was, { clientY }) {
      const before = placeAt(list.current, clientY);
      return was.before === before ? was : { ...was, before };
    },
    drop({ from, before }) {
      const to = before > from ? before - 1 : before;
      if (to !== from) onDrop(from, to);
    },
  });
  const start = useCallback(
    (event: PointerEvent, from: number) => {
      event.preventDefault();
      setDrag({ from, before: from });
    },
    [setDrag],
  );
  return {
    start,
    isDragged: (index: number) => drag?.from === index,
    /** Where to draw the drop line: above an element, or below the last one. */
    markOf(index: number, count: number): "above" | "below" | undefined {
      if (!drag || drag.before === drag.from || drag.before === drag.from + 1) return undefined;
      if (drag.before === index) return "above";
      return drag.before === count && index === count - 1 ? "below" : undefined;
    },
  };
}

/** The first element whose middle is below the pointer, or the end. */
function placeAt(list: HTMLElement | null, y: number): number {
  const boxes = [...(list?.children ?? [])].map((child) => child.getBoundingClientRect());
  const found = boxes.findIndex(({ top, height }) => y < top + height / 2);
  return found < 0 ? boxes.length : found;
}
