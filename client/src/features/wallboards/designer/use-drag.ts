import { type PointerEvent, useEffect, useState } from "react";
import { type Box, type Boxes, fitInto, type GridSize, placeTile } from "./arrange.ts";

/** The edges that follow the pointer; `move` moves the whole tile. */
export type Grip = "move" | "e" | "s" | "se";

/** A drag in progress. */
export interface Drag {
  id: string;
  grip: Grip;
  /** Where the tile would be placed. */
  box: Box;
  /** All tiles that would move; null if there is no space. */
  moved: Record<string, Box> | null;
}

/** Smaller movements are not a drag. */
const THRESHOLD_PX = 4;

/**
 * Moves and resizes tiles by pointer. `onPut` is called when the pointer is released, unless the tile is gone; Escape
 * cancels. `start` handles pointer-down on a grip; `on` are the handlers of the element that contains the grips.
 */
export function useDrag(options: {
  boxes: Boxes;
  grid: GridSize;
  /** One cell with its gap, in pixels of the page. */
  cell: { width: number; height: number };
  minSizeOf(id: string): { w: number; h: number };
  /** `seen` is the place from which the tile was dragged: the canvas does not show where others move it meanwhile. */
  onPut(moved: Record<string, Box>, seen: Record<string, Box>): void;
}) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const [from, setFrom] = useState<{ x: number; y: number; box: Box } | null>(null);
  const cancel = () => {
    setDrag(null);
    setFrom(null);
  };
  useEscape(drag !== null, cancel);

  const start = (event: PointerEvent<HTMLElement>, id: string, grip: Grip) => {
    const box = options.boxes[id];
    if (event.button !== 0 || !box) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    setFrom({ x: event.clientX, y: event.clientY, box });
    setDrag({ id, grip, box, moved: {} });
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    if (!drag || !from) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (drag.box === from.box && Math.hypot(dx, dy) < THRESHOLD_PX) return;
    const { boxes, grid, cell, minSizeOf } = options;
    const requested = shifted(from.box, drag.grip, dx / cell.width, dy / cell.height);
    const box = fitInto(grid, clampToGrid(grid, requested, drag.grip), minSizeOf(drag.id));
    setDrag({ ...drag, box, moved: placeTile(boxes, drag.id, box, grid) });
  };
  const end = () => {
    const moved = drag?.moved ?? {};
    if (drag && from && options.boxes[drag.id] && Object.keys(moved).length > 0) {
      options.onPut(moved, { [drag.id]: from.box });
    }
    cancel();
  };
  const on = { onPointerMove: move, onPointerUp: end, onPointerCancel: cancel };
  return { drag, start, on };
}

/** The box after dragging a grip by `dx` columns and `dy` rows. */
function shifted(box: Box, grip: Grip, dx: number, dy: number): Box {
  if (grip === "move") return { ...box, x: box.x + dx, y: box.y + dy };
  const w = grip === "s" ? box.w : box.w + dx;
  const h = grip === "e" ? box.h : box.h + dy;
  return { ...box, w, h };
}

/** Limits a resized tile to the wallboard without moving it. */
function clampToGrid({ columns, rows }: GridSize, box: Box, grip: Grip): Box {
  if (grip === "move") return box;
  return { ...box, w: Math.min(box.w, columns - box.x), h: Math.min(box.h, rows - box.y) };
}

function useEscape(active: boolean, cancel: () => void) {
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") cancel();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
