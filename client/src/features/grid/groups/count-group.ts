import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { summaryDetail } from "../../../records/summary/summary-text.ts";
import { formatCount } from "../../../ui/numbers.ts";
import type { GroupedView } from "./group-rows.ts";

interface GroupCount {
  count: string;
  /** What there is to say of the count. */
  note?: string;
  details: string[];
}

/** The count and the summaries of a group; of a new query some may be missing yet. */
export function countGroup(
  view: Pick<GroupedView, "counted" | "further" | "columns" | "isExact">,
  key: Json,
): GroupCount {
  const { counted, further, columns } = view;
  const isKey = (one: { key: Json }) => deepEqual(one.key, key);
  const first = counted?.find(isKey);
  const row = first ?? further?.rows.find(isKey);
  const isAwaited = !counted || (further && !further.keys.some((one) => deepEqual(one, key)));
  if (!row && isAwaited) return { count: messages.summaryWaiting(), details: [] };
  const { isExact } = first || !further ? view : further;
  if (!row && !isExact)
    return { count: messages.notCounted(), note: messages.notCountedYet(), details: [] };
  const [count, ...others] = row?.values ?? [0];
  const value = formatCount(Number(count));
  const details = columns.flatMap(({ column, op }, index) => {
    const of = others[index];
    if (of === undefined) return [];
    return [summaryDetail(column, op, of, Number(count))];
  });
  if (isExact) return { count: value, details };
  return {
    count: messages.summaryEstimate({ value }),
    note: messages.summaryEstimated(),
    details,
  };
}
