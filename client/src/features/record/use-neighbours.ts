import { useSyncExternalStore } from "react";
import { neighbourIn, type RecordPlace } from "../../records/record-trail.ts";
import { hasNeighbour, onFrontChange } from "../../sync/page/front-list.ts";

/** Whether there is a record to step to. */
export interface Neighbours {
  previous: boolean;
  next: boolean;
}

/** The neighbours of a record in the list that it was opened from, or else in the list on the screen. */
export function useNeighbours(
  place: RecordPlace,
  trail: readonly RecordPlace[] | null,
): Neighbours {
  const { table, record } = place;
  const has = (step: 1 | -1) =>
    trail ? neighbourIn(trail, place, step) !== null : hasNeighbour(table, record, step);
  return {
    previous: useSyncExternalStore(onFrontChange, () => has(-1)),
    next: useSyncExternalStore(onFrontChange, () => has(1)),
  };
}
