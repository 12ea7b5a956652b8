import type { GridController } from "../grid-controller.ts";
import { RANGE_MAX_ROWS, readPart } from "./read-parts.ts";

/** A selection that is being extended is not read yet. */
const READ_DELAY_MS = 400;

/**
 * Reads the rows of a selection that are not on the screen, so that it can be counted, copied and changed at once. Larger
 * selections than can be copied are not read.
 */
export function readSelected(grid: GridController): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isReading = false;
  const read = async () => {
    timer = null;
    const { parts, size } = grid.range;
    if (isReading || size.unread === 0 || size.rows > RANGE_MAX_ROWS) return;
    isReading = true;
    const isCurrent = () => grid.range.parts === parts;
    try {
      for (const part of parts) await readPart(grid, part, isCurrent);
    } catch {
      // The rows are read again by the command that needs them, which then shows the error.
    } finally {
      isReading = false;
      if (!isCurrent()) readLater();
    }
  };
  const readLater = () => {
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => void read(), READ_DELAY_MS);
  };
  const unsubscribe = grid.range.onChange((change) => {
    if (change === "cells" && !isReading && grid.range.isShown) readLater();
  });
  return () => {
    unsubscribe();
    if (timer) clearTimeout(timer);
  };
}
