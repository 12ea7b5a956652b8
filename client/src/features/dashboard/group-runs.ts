import type { ActivityItem } from "../../sync/calls/activity.ts";

/** Changes that one action made, such as an import, a template or a paste. */
interface ActivityRun {
  /** The newest of them. */
  item: ActivityItem;
  count: number;
}

/** Changes further apart than this are not joined. */
const RUN_GAP_MS = 10_000;

/** Joins consecutive records that the same author added to, or deleted from, one table. */
export function groupRuns(items: readonly ActivityItem[]): ActivityRun[] {
  const runs: (ActivityRun & { last: ActivityItem })[] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run && isSameRun(run.last, item)) {
      run.count += 1;
      run.last = item;
    } else runs.push({ item, count: 1, last: item });
  }
  return runs.map(({ item, count }) => ({ item, count }));
}

function isSameRun(later: ActivityItem, earlier: ActivityItem): boolean {
  const [a, b] = [later.change, earlier.change];
  return (
    a.kind !== "update" &&
    a.kind === b.kind &&
    later.table.name === earlier.table.name &&
    a.by.kind === b.by.kind &&
    a.by.id === b.by.id &&
    Date.parse(a.at) - Date.parse(b.at) < RUN_GAP_MS
  );
}
