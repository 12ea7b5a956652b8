import { usesClock } from "../../filter/bind-filter.ts";
import type { Comparison, Filter } from "../../filter/filter.ts";
import type { Bucket, Time } from "./tile-parts.ts";

/**
 * A number tile may limit its value to the current bucket ("resolved today") and show the previous buckets as
 * its trend. The limit on the time applies to the value alone: in the trend it would empty all other buckets.
 */

/** The filter without its limits by the clock on this field; null if nothing else is left. */
export function trendFilter(filter: Filter | null, field: string): Filter | null {
  if (filter === null || isTimeLimit(filter, field)) return null;
  if (!("and" in filter)) return filter;
  const left = filter.and.flatMap((term) => trendFilter(term, field) ?? []);
  return left.length > 1 ? { and: left } : (left[0] ?? null);
}

/** Whether the value is that of the current bucket: everything since the start of the day, by days. */
export function isRunningBucket(filter: Filter | null, { field, bucket }: Time): boolean {
  if (filter === null || bucket !== "day") return false;
  if ("and" in filter)
    return filter.and.some((term) => isRunningBucket(term, { field, bucket, count: 2 }));
  return (
    "field" in filter && filter.field === field && filter.op === "gte" && filter.value === "$today"
  );
}

/** The distance to the same moment of the previous bucket; null if buckets differ in length. */
export const bucketAgo: Readonly<Record<Bucket, string | null>> = {
  minute: "1m",
  hour: "1h",
  day: "1d",
  week: "1w",
  month: null,
};

function isTimeLimit(filter: Filter, field: string): filter is Comparison {
  return "field" in filter && filter.field === field && usesClock(filter);
}
