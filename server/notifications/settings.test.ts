import { describe, expect, it } from "vitest";
import { isQuiet, lastDigestTime } from "./settings.ts";

const at = (text: string) => Date.parse(text);

describe("the daily digest", () => {
  it.each([
    ["2026-03-05T08:00:30Z", "UTC", "2026-03-05T08:00:00Z"],
    ["2026-03-05T07:59:59Z", "UTC", "2026-03-04T08:00:00Z"],
    ["2026-03-05T07:30:00Z", "Europe/Berlin", "2026-03-05T07:00:00Z"],
    ["2026-03-05T06:30:00Z", "Europe/Berlin", "2026-03-04T07:00:00Z"],
    ["2026-03-04T23:00:00Z", "Pacific/Auckland", "2026-03-04T19:00:00Z"],
    ["2026-03-05T02:00:00Z", "Asia/Kolkata", "2026-03-04T02:30:00Z"],
  ])("at %s in %s was last at %s", (now, zone, last) => {
    expect(new Date(lastDigestTime(at(now), zone)).toISOString()).toBe(
      new Date(last).toISOString(),
    );
  });
});

describe("quiet hours", () => {
  it.each([
    ["22:00", "06:00", "2026-03-05T23:30:00Z", true],
    ["22:00", "06:00", "2026-03-05T05:59:00Z", true],
    ["22:00", "06:00", "2026-03-05T06:00:00Z", false],
    ["12:00", "13:00", "2026-03-05T12:00:00Z", true],
    ["12:00", "13:00", "2026-03-05T13:00:00Z", false],
  ])("from %s to %s at %s: %s", (from, to, now, quiet) => {
    expect(isQuiet({ quiet: { from, to } }, at(now), "UTC")).toBe(quiet);
  });

  it("are those of the user's zone, and none by default", () => {
    const night = { quiet: { from: "22:00", to: "06:00" } };
    expect(isQuiet(night, at("2026-03-05T03:00:00Z"), "America/New_York")).toBe(true);
    expect(isQuiet(night, at("2026-03-05T12:00:00Z"), "America/New_York")).toBe(false);
    expect(isQuiet({ quiet: null }, at("2026-03-05T03:00:00Z"), "UTC")).toBe(false);
  });
});
