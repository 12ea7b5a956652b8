import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { summaryDetail } from "../../../ui/summary/summary-text.ts";
import type { GroupedView } from "./group-rows.ts";

interface GroupCount {
  count: string;
  /** What there is to say of the count. */
  note?: string;
  details: string[];
}

/** The count and the summaries of a group; of a new query some may be missing yet. */
export function countGroup(
  {
    counted,
    hasMore,
    columns,
    isExact,
  }: Pick<GroupedView, "counted" | "hasMore" | "columns" | "isExact">,
  key: Json,
): GroupCount {
  if (!counted) return { count: messages.summaryWaiting(), details: [] };
  const row = counted.find((one) => deepEqual(one.key, key));
  if (!row && hasMore) {
    const note = messages.groupNotCounted({ count: counted.length });
    return { count: messages.summaryNone(), note, details: [] };
  }
  const [count, ...others] = row?.values ?? [0];
  const value = formatCount(Number(count));
  const details = columns.flatMap(({ column, op }, index) => {
    const of = others[index];
    if (of === undefined) return [];
    return [summaryDetail(column, op, of, Number(count))];
  });
  if (isExact) return { count: value, details };
  const note = messages.summaryEstimated();
  return { count: messages.summaryEstimate({ value }), note, details };
}
