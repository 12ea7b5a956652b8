import { type PointerEvent, type RefObject, useCallback, useEffect, useState } from "react";

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
  const [drag, setDrag] = useState<Drag | null>(null);
  const dragging = drag !== null;
  useEffect(() => {
    if (!dragging) return;
    const move = ({ clientY }: globalThis.PointerEvent) => {
      const before = placeAt(list.current, clientY);
      setDrag((was) => (was && was.before !== before ? { ...was, before } : was));
    };
    const cancel = () => setDrag(null);
    const end = () =>
      setDrag((was) => {
        const to = was && (was.before > was.from ? was.before - 1 : was.before);
        if (was && to !== null && to !== was.from) queueMicrotask(() => onDrop(was.from, to));
        return null;
      });
    const key = (event: KeyboardEvent) => event.key === "Escape" && cancel();
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", cancel);
    addEventListener("keydown", key);
    return () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", key);
    };
  }, [dragging, list, onDrop]);
  const start = useCallback((event: PointerEvent, from: number) => {
    event.preventDefault();
    setDrag({ from, before: from });
  }, []);
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
