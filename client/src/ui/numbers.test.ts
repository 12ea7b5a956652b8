import { describe, expect, it } from "vitest";
import { formatAgo, formatCompact, formatWait } from "./numbers.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

describe("times ago", () => {
  it("are now within the minute", () => {
    expect(formatAgo("2026-11-21T11:59:31Z", now)).toBe("now");
  });
  it("use the largest unit that is full", () => {
    expect(formatAgo("2026-11-21T11:55:00Z", now)).toBe("5 minutes ago");
    expect(formatAgo("2026-11-20T11:00:00Z", now)).toBe("yesterday");
  });
});

describe("formatCompact", () => {
  it("are written out below a thousand and shortened above", () => {
    expect(formatCompact(999)).toBe("999");
    expect(formatCompact(12_345)).toBe("12.3K");
    expect(formatCompact(1_234_567)).toBe("1.2M");
  });
});

describe("a wait", () => {
  it("is rounded up, so that trying again is never too early", () => {
    expect(formatWait(0.2)).toBe("1 second");
    expect(formatWait(61)).toBe("2 minutes");
  });
});
