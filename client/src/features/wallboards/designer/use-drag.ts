import type { PointerEvent } from "react";
import { usePointerDrag } from "../../../ui/use-pointer-drag.ts";
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

/** The place at which a drag has begun. */
interface Begin {
  x: number;
  y: number;
  box: Box;
}

/**
 * Moves and resizes tiles by pointer. `onPut` is called when the pointer is released, unless the tile is gone; Escape
 * cancels. `start` handles pointer-down on a grip.
 */
export function useDrag(options: {
  boxes: Boxes;
  grid: GridSize;
  /** One cell with its gap, in pixels of the page. */
  cell: { width: number; height: number };
  /** `seen` is the place from which the tile was dragged: the canvas does not show where others move it meanwhile. */
  onPut(moved: Record<string, Box>, seen: Record<string, Box>): void;
}) {
  const { boxes, grid, cell } = options;
  const [drag, setDrag] = usePointerDrag<Drag & { from: Begin }>({
    move(was, event) {
      const { from } = was;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (was.box === from.box && Math.hypot(dx, dy) < THRESHOLD_PX) return was;
      const requested = shifted(from.box, was.grip, dx / cell.width, dy / cell.height);
      const box = fitInto(grid, clampToGrid(grid, requested, was.grip));
      return { ...was, box, moved: placeTile(boxes, was.id, box, grid) };
    },
    drop({ id, moved, from }) {
      if (boxes[id] && moved && Object.keys(moved).length > 0) {
        options.onPut(moved, { [id]: from.box });
      }
    },
  });
  const start = (event: PointerEvent<HTMLElement>, id: string, grip: Grip) => {
    const box = boxes[id];
    if (event.button !== 0 || !box) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = { x: event.clientX, y: event.clientY, box };
    setDrag({ id, grip, box, moved: {}, from });
  };
  return { drag, start };
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
