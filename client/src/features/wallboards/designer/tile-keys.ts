import { type Box, type Boxes, fitInto, type GridSize, placeTile } from "./arrange.ts";

/** The action of a key on the selected tile. */
type TileAction =
  | { kind: "put"; moved: Record<string, Box> }
  /** The tile is at the wallboard's edge, or there is no space for the tiles in the way. */
  | { kind: "blocked" }
  | { kind: "remove" }
  | { kind: "duplicate" };

interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The action of a key: arrows move the tile, with Shift they resize it, Delete removes it, Ctrl or ⌘ with D duplicates it.
 * Null for any other key.
 */
export function actionOfKey(
  event: Key,
  id: string,
  boxes: Boxes,
  grid: GridSize,
  minSize: { w: number; h: number },
): TileAction | null {
  const box = boxes[id];
  if (!box || event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    return event.key.toLowerCase() === "d" ? { kind: "duplicate" } : null;
  }
  if (event.key === "Delete" || event.key === "Backspace") return { kind: "remove" };
  const step = arrows[event.key];
  if (!step) return null;
  const requested = event.shiftKey
    ? { ...box, w: box.w + step[0], h: box.h + step[1] }
    : { ...box, x: box.x + step[0], y: box.y + step[1] };
  const next = fitInto(grid, requested, minSize);
  const isShifted = event.shiftKey && (next.x !== box.x || next.y !== box.y);
  const moved = isShifted ? null : placeTile(boxes, id, next, grid);
  if (!moved || Object.keys(moved).length === 0) return { kind: "blocked" };
  return { kind: "put", moved };
}
