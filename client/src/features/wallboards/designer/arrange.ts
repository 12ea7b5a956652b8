import { clamp } from "@mantine/hooks";

/**
 * Arranges tiles on the canvas. Placing a tile pushes those in its way downwards, so that one user's edits never make
 * tiles overlap. Pure functions: the canvas shows the result during a drag.
 */

/** A place on the wallboard, in its columns and rows. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export type Boxes = Readonly<Record<string, Box>>;

export interface GridSize {
  columns: number;
  rows: number;
}

/** Whether two tiles overlap. */
export function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** The box moved and shrunk into the grid; at least one cell. */
export function fitInto({ columns, rows }: GridSize, box: Box): Box {
  const w = clamp(Math.round(box.w), 1, columns);
  const h = clamp(Math.round(box.h), 1, rows);
  return {
    x: clamp(Math.round(box.x), 0, columns - w),
    y: clamp(Math.round(box.y), 0, rows - h),
    w,
    h,
  };
}

/**
 * Places a tile. Tiles in its way are pushed down, recursively.
 * @returns the tiles that moved; null if the wallboard has no space.
 */
export function placeTile(
  boxes: Boxes,
  id: string,
  box: Box,
  grid: GridSize,
): Record<string, Box> | null {
  const moved: Record<string, Box> = { [id]: box };
  const queue = [id];
  const at = (one: string) => moved[one] ?? boxes[one];
  for (let pusher = queue.shift(); pusher !== undefined; pusher = queue.shift()) {
    const own = at(pusher) as Box;
    for (const other of inOrder(boxes, moved)) {
      const theirs = at(other);
      if (other === pusher || other === id || !theirs || !overlap(own, theirs)) continue;
      const y = own.y + own.h;
      if (y + theirs.h > grid.rows) return null;
      moved[other] = { ...theirs, y };
      queue.push(other);
    }
  }
  return changedOf(boxes, moved);
}

/** The first free place for a tile, row by row; null if the wallboard is full. */
export function firstFree(
  boxes: Boxes,
  { w, h }: { w: number; h: number },
  { columns, rows }: GridSize,
): Box | null {
  const occupied = Object.values(boxes);
  for (let y = 0; y + h <= rows; y++) {
    for (let x = 0; x + w <= columns; x++) {
      const box = { x, y, w, h };
      if (!occupied.some((other) => overlap(box, other))) return box;
    }
  }
  return null;
}

/** From top to bottom, so that a pushed tile pushes those below it. */
function inOrder(boxes: Boxes, moved: Boxes): string[] {
  const at = (id: string) => (moved[id] ?? boxes[id]) as Box;
  return Object.keys(boxes).sort((a, b) => at(a).y - at(b).y || at(a).x - at(b).x);
}

function changedOf(boxes: Boxes, moved: Record<string, Box>): Record<string, Box> {
  return Object.fromEntries(
    Object.entries(moved).filter(([id, { x, y, w, h }]) => {
      const was = boxes[id];
      return !was || was.x !== x || was.y !== y || was.w !== w || was.h !== h;
    }),
  );
}
