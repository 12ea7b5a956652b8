import { expect, test } from "vitest";
import type { Bucket } from "../../../shared/model/wallboard/tile-parts.ts";
import { bucketOf, timeBounds } from "./time-bounds.ts";

/** The bounds as instants in UTC. */
const boundsAt = (now: string, bucket: Bucket, count: number, zone: string) =>
  timeBounds(Date.parse(now), bucket, count, zone).map((at) => new Date(at).toISOString());

test.each<[string, string, Bucket, string, string[]]>([
  [
    "23 hours where summer time begins",
    "Europe/Berlin",
    "day",
    "2026-03-29T12:00:00Z",
    ["2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
  ],
  [
    "25 hours where it ends",
    "Europe/Berlin",
    "day",
    "2026-10-25T12:00:00Z",
    ["2026-10-23T22:00:00.000Z", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
  ],
  [
    "the zone's own date where that is ahead of UTC's",
    "Pacific/Kiritimati",
    "day",
    "2026-11-21T10:30:00Z",
    ["2026-11-20T10:00:00.000Z", "2026-11-21T10:00:00.000Z", "2026-11-22T10:00:00.000Z"],
  ],
  [
    "the zone's own date where that is behind UTC's",
    "Etc/GMT+12",
    "day",
    "2026-11-21T11:30:00Z",
    ["2026-11-19T12:00:00.000Z", "2026-11-20T12:00:00.000Z", "2026-11-21T12:00:00.000Z"],
  ],
  [
    "a week from Monday to Monday over a change of clocks",
    "America/New_York",
    "week",
    "2026-11-01T23:00:00Z",
    ["2026-10-19T04:00:00.000Z", "2026-10-26T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
  ],
  [
    "a month over the end of a year",
    "Pacific/Kiritimati",
    "month",
    "2026-12-31T11:00:00Z",
    ["2026-11-30T10:00:00.000Z", "2026-12-31T10:00:00.000Z", "2027-01-31T10:00:00.000Z"],
  ],
  [
    "each hour once where the clocks show one twice",
    "Europe/Berlin",
    "hour",
    "2026-10-25T01:30:00Z",
    ["2026-10-25T00:00:00.000Z", "2026-10-25T01:00:00.000Z", "2026-10-25T02:00:00.000Z"],
  ],
  [
    "hours of the zone's clock where that is ahead by part of an hour",
    "Asia/Kolkata",
    "hour",
    "2026-11-21T10:10:00Z",
    ["2026-11-21T08:30:00.000Z", "2026-11-21T09:30:00.000Z", "2026-11-21T10:30:00.000Z"],
  ],
])("buckets include %s, in %s by %s", (_title, zone, bucket, now, bounds) => {
  expect(boundsAt(now, bucket, 2, zone)).toEqual(bounds);
  expect(
    bucketOf(
      Date.parse(now),
      bounds.map((at) => Date.parse(at)),
    ),
  ).toBe(1);
});

test("an instant on a bound belongs to the bucket that begins there, and one outside to none", () => {
  expect([9, 10, 19, 20, 29, 30].map((at) => bucketOf(at, [10, 20, 30]))).toEqual([
    -1, 0, 0, 1, 1, -1,
  ]);
});
