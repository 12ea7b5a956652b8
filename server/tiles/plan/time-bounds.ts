import { writeInstant, writeStartOfDay } from "../../../shared/filter/clock.ts";
import type { Bucket } from "../../../shared/model/wallboard/tile-parts.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The middle of a day is the same day however summer time begins or ends. */
const NOON_MS = 12 * HOUR_MS;

/**
 * The starts of the last `count` buckets up to the one that includes `now`, and the end of that: instants in
 * milliseconds, in the zone's own days. Weeks begin on Monday. Ascending, `count + 1` of them.
 */
export function timeBounds(now: number, bucket: Bucket, count: number, zone: string): number[] {
  switch (bucket) {
    case "minute":
      return evenly(startOfClockUnit(now, MINUTE_MS, zone), MINUTE_MS, count);
    case "hour":
      return evenly(startOfClockUnit(now, HOUR_MS, zone), HOUR_MS, count);
    case "day":
      return daysBack(now, zone, count, (day, back) => day - back);
    case "week":
      return daysBack(now, zone, count, (day, back) => day - weekday(day) - 7 * back);
    case "month":
      return monthsBack(now, zone, count);
  }
}

/** Zones are full minutes ahead of UTC, not always full hours. */
function startOfClockUnit(now: number, unit: number, zone: string): number {
  const offset = zoneOffset(now, zone);
  return Math.floor((now + offset) / unit) * unit - offset;
}

function zoneOffset(at: number, zone: string): number {
  const localTime = Date.parse(`${writeInstant(at, zone).slice(0, 19)}Z`);
  return Math.round((localTime - at) / MINUTE_MS) * MINUTE_MS;
}

function evenly(start: number, unit: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => start + (index - count + 1) * unit);
}

/** The day of an instant, counted from 1970-01-01. */
function dayNumber(now: number, zone: string): number {
  return Date.parse(`${writeInstant(now, zone).slice(0, 10)}T00:00:00Z`) / DAY_MS;
}

/** 0 is Monday. */
function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

function startOfDay(day: number, zone: string): number {
  const nearNoon = day * DAY_MS + NOON_MS;
  return Date.parse(writeStartOfDay(nearNoon - zoneOffset(nearNoon, zone), zone));
}

function daysBack(
  now: number,
  zone: string,
  count: number,
  dayOf: (today: number, back: number) => number,
): number[] {
  const today = dayNumber(now, zone);
  return Array.from({ length: count + 1 }, (_, index) =>
    startOfDay(dayOf(today, count - 1 - index), zone),
  );
}

function monthsBack(now: number, zone: string, count: number): number[] {
  const [year = 0, month = 0] = writeInstant(now, zone).slice(0, 7).split("-").map(Number);
  return Array.from({ length: count + 1 }, (_, index) => {
    const first = Date.UTC(year, month - 1 - (count - 1 - index), 1);
    return startOfDay(first / DAY_MS, zone);
  });
}

/** The bucket of an instant among ascending bounds; -1 if it is in none. */
export function bucketOf(at: number, bounds: readonly number[]): number {
  if (!(at >= (bounds[0] ?? 0)) || at >= (bounds.at(-1) ?? 0)) return -1;
  let [low, high] = [0, bounds.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}
