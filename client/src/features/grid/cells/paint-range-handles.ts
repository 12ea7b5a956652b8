/** Set on the grid's element while it is used by touch: the selected range has handles then. */
export const TOUCHED = "data-touched";

/** What a cell has a handle for by touch: the ends of a range are its first and its last cell, and in the last one it is filled. */
export interface RangeEnds {
  first: boolean;
  last: boolean;
  fill: boolean;
}

/** Adds the handles of a range to a cell, or removes those that it no longer has. */
export function paintRangeHandles(cell: HTMLElement, ends: RangeEnds): void {
  for (const [end, isShown] of Object.entries(ends)) {
    const known = cell.querySelector(`:scope > .wf-range-handle[data-end="${end}"]`);
    if (!isShown) known?.remove();
    else if (!known) {
      const handle = document.createElement("span");
      handle.className = "wf-range-handle";
      handle.dataset.end = end;
      cell.append(handle);
    }
  }
}
