import { describe, expect, test } from "vitest";
import { writeInstant, writeStartOfDay } from "./clock.ts";

describe("F9 the wall clock of a zone", () => {
  test.each([
    ["UTC", "2026-03-29T00:30:00Z", "2026-03-29T00:30:00.000Z"],
    ["Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00.000+01:00"],
    ["Europe/Berlin", "2026-03-29T01:30:00Z", "2026-03-29T03:30:00.000+02:00"],
    ["America/St_Johns", "2026-11-21T00:00:00.123Z", "2026-11-20T20:30:00.123-03:30"],
    ["Pacific/Kiritimati", "2026-11-21T12:00:00Z", "2026-11-22T02:00:00.000+14:00"],
  ])("in %s writes %s as %s", (zone, instant, written) => {
    expect(writeInstant(Date.parse(instant), zone)).toBe(written);
    expect(Date.parse(written)).toBe(Date.parse(instant));
  });

  test.each([
    [
      "summer time begins",
      "Europe/Berlin",
      "2026-03-29T12:00:00Z",
      "2026-03-29T00:00:00.000+01:00",
    ],
    ["summer time ends", "Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-25T00:00:00.000+02:00"],
    [
      "midnight is skipped",
      "Africa/Cairo",
      "2024-04-26T12:00:00Z",
      "2024-04-26T01:00:00.000+03:00",
    ],
    [
      "midnight comes twice",
      "America/Havana",
      "2024-11-03T17:00:00Z",
      "2024-11-03T00:00:00.000-04:00",
    ],
    [
      "it is still yesterday in UTC",
      "Pacific/Kiritimati",
      "2026-11-21T10:30:00Z",
      "2026-11-22T00:00:00.000+14:00",
    ],
    [
      "the zone is ahead by part of an hour",
      "Pacific/Chatham",
      "2026-11-21T10:30:00Z",
      "2026-11-22T00:00:00.000+13:45",
    ],
    [
      "the zone has skipped the day before",
      "Pacific/Apia",
      "2011-12-30T22:00:00Z",
      "2011-12-31T00:00:00.000+14:00",
    ],
  ])("starts a day in which %s at its first instant", (_title, zone, instant, start) => {
    expect(writeStartOfDay(Date.parse(instant), zone)).toBe(start);
  });
});
