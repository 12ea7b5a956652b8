import { WINDOW_MAX_ROWS } from "./record-window.ts";
import { type RowOrder, RUN_ROWS } from "./row-order.ts";

/**
 * Evicts the least recently requested rows until the limit holds, and returns their records. Visible
 * rows stay, and so do displaced ones, which show how far the local order differs from the server's.
 */
export function evictRows(
  order: RowOrder,
  visible: { start: number; end: number },
  isEvictable: (id: string) => boolean,
): string[] {
  const evicted: string[] = [];
  for (const run of order.leastUsed()) {
    if (order.size <= WINDOW_MAX_ROWS) break;
    const start = run * RUN_ROWS;
    if (start < visible.end && start + RUN_ROWS > visible.start) continue;
    const rows = Array.from({ length: RUN_ROWS }, (_, row) => start + row).filter((index) => {
      const id = order.at(index);
      return id !== undefined && !order.marks.has(id) && isEvictable(id);
    });
    evicted.push(...order.clear(rows));
    order.forgetRun(run);
  }
  return evicted;
}
