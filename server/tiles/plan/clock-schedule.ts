import { comparisonsOf, operandsOf } from "../../../shared/filter/bind-filter.ts";
import { writeInstant, writeStartOfDay } from "../../../shared/filter/clock.ts";
import type { Filter, ValueKind } from "../../../shared/filter/filter.ts";

/**
 * When the result of a filter with a clock can change without any write: at known instants (a new day), and
 * when a record's own time is reached (`due_at` passes `$now`).
 */
export interface ClockSchedule {
  /** The next instant at which a bound jumps; null if none does. */
  at: number | null;
  /** Bounds that move with the clock: a record crosses when its `field` is `seconds` old. */
  relativeBounds: { field: string; seconds: number }[];
}

const DAY_AND_MORE_MS = 26 * 3_600_000;

export function clockSchedule(
  filter: Filter,
  kinds: Readonly<Record<string, ValueKind>>,
  now: number,
  zone: string,
): ClockSchedule {
  const changeTimes: number[] = [];
  const relativeBounds = new Map<string, ClockSchedule["relativeBounds"][number]>();
  for (const { field, value = null } of comparisonsOf(filter)) {
    for (const operand of operandsOf(value)) {
      const seconds = operand.type === "ago" ? operand.seconds : operand.type === "now" ? 0 : null;
      if (operand.type === "today") changeTimes.push(nextDay(now, zone));
      else if (seconds === null) continue;
      else if (kinds[field] === "date")
        changeTimes.push(nextDay(now - seconds * 1000, zone) + seconds * 1000);
      else relativeBounds.set(`${field} ${seconds}`, { field, seconds });
    }
  }
  return {
    at: changeTimes.length ? Math.min(...changeTimes) : null,
    relativeBounds: [...relativeBounds.values()],
  };
}

/** The first instant of the next calendar day in the zone. */
export function nextDay(now: number, zone: string): number {
  const today = writeInstant(now, zone).slice(0, 10);
  // the first instant of a later day, whatever its length: begin beyond it and come back
  const later = Date.parse(writeStartOfDay(now + DAY_AND_MORE_MS, zone));
  const between = Date.parse(writeStartOfDay(later - 1, zone));
  return between > now && writeInstant(between, zone).slice(0, 10) !== today ? between : later;
}
