import { isAbsent } from "./evaluate-mark.ts";
import type { Alignment, Loaded } from "./row-loader.ts";
import { RUN_ROWS } from "./row-order.ts";

/**
 * How many rows a view has, by a page of it: the server's total, without the records that are shown
 * `apart` from the rows, and with the rows that are none of the view's records any
 * more, or not yet.
 */
export function countRows({ order }: Alignment, { page, end }: Loaded, apart: number): number {
  const absent = [...order.marks.values()].filter(isAbsent).length;
  const reported = page.total - apart + absent + order.begun.size;
  // An estimate may be too small: as long as the end was not seen there is at least one more run.
  const more = end === null && !page.totalExact ? RUN_ROWS : 0;
  return Math.max(order.end + more, end ?? reported);
}
