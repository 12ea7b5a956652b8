import type { PointerEvent, RefObject } from "react";
import { usePointerDrag } from "../../../ui/use-pointer-drag.ts";
import type { DiagramLayout } from "./layout.ts";

interface DrawnEdge {
  from: string;
  /** The pointer, in the diagram's own pixels. */
  x: number;
  y: number;
  over: string | null;
}

/** Draws a line from one state to another by pointer. Escape or releasing it elsewhere cancels. */
export function useConnecting(
  canvas: RefObject<HTMLElement | null>,
  scale: number,
  onConnect: (from: string, to: string) => void,
) {
  const [drawn, setDrawn] = usePointerDrag<DrawnEdge>({
    move(was, event) {
      const { left = 0, top = 0 } = canvas.current?.getBoundingClientRect() ?? {};
      const over = stateUnder(event);
      return {
        ...was,
        x: (event.clientX - left) / scale,
        y: (event.clientY - top) / scale,
        over: over === was.from ? null : over,
      };
    },
    drop({ from }, event) {
      const to = stateUnder(event);
      if (to !== null && to !== from) onConnect(from, to);
    },
  });
  return {
    over: drawn?.over ?? null,
    start(event: PointerEvent, from: string) {
      event.preventDefault();
      event.stopPropagation();
      setDrawn({ from, x: Number.NaN, y: Number.NaN, over: null });
    },
    line(plan: DiagramLayout): string | null {
      const box = drawn && plan.states.get(drawn.from);
      if (!drawn || !box || Number.isNaN(drawn.x)) return null;
      return `M${box.x + box.width / 2} ${box.y} L${drawn.x} ${drawn.y}`;
    },
  };
}

function stateUnder(event: globalThis.PointerEvent): string | null {
  const found = document.elementFromPoint(event.clientX, event.clientY);
  return found?.closest<HTMLElement>("[data-state]")?.dataset.state ?? null;
}
