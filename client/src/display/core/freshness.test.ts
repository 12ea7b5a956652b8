import { describe, expect, it } from "vitest";
import { ageOf, elapsedMs, type Proof, proofOf } from "../../../../shared/protocol/freshness.ts";
import { freshnessText } from "../../tiles/freshness-text.ts";
import { lengthText } from "../../tiles/length-text.ts";
import { isDim, pixelShiftAt } from "./burn-in-protection.ts";
import { nextWallboard } from "./wallboard-rotation.ts";

const heardAt = { wall: 1_000_000, steady: 5_000 };
const asOf = Date.parse("2026-11-21T14:03:12Z");
const proof: Proof = { asOf, serverNow: asOf + 100, receivedAt: heardAt };
const later = (ms: number) => ({ wall: heardAt.wall + ms, steady: heardAt.steady + ms });
const textAfter = (ms: number, isConnected = true) =>
  freshnessText(ageOf(proof, later(ms)), asOf, isConnected, "UTC");

describe("D3 the freshness of a screen's values", () => {
  it("describes proven values as up to date, then some seconds behind, then lost", () => {
    expect(textAfter(3_000)).toBe("Up to date");
    expect(textAfter(4_900)).toBe("5 s behind");
    expect(textAfter(41_900, false)).toBe("Connection lost 00:42 — values from 14:03:12");
    expect(textAfter(41_900)).toBe("Server delayed 00:42 — values from 14:03:12");
    expect(textAfter(86_400_000, false)).toContain("values from 21 Nov, 14:03:12");
    expect(freshnessText(ageOf(null, later(0)), null, true, "UTC")).toBe("No values yet");
  });

  it("says so within ten seconds of the last proof, whatever the line says of itself", () => {
    expect(ageOf(proof, later(9_999)).freshness).toBe("lost");
  });

  it("keeps values outdated while the server can't confirm them", () => {
    const refreshed = { ...proof, serverNow: asOf + 60_000, heardAt: later(60_000) };
    expect(ageOf(refreshed, later(60_100)).freshness).toBe("lost");
  });

  it("counts from the server's clock also where that was set back", () => {
    const setBack = asOf - 3_600_000;
    const message = (at: number) => ({
      asOf: new Date(at).toISOString(),
      now: new Date(at + 100).toISOString(),
    });
    const again = proofOf(message(setBack), proof, later(2_500));
    expect(ageOf(again, later(2_600)).freshness).toBe("live");
    expect(ageOf(again, later(12_600)).freshness).toBe("lost");
    expect(proofOf(message(asOf - 1_000), proof, later(2_500)).asOf).toBe(asOf - 900);
    expect(proofOf(message(asOf + 2_500), proof, later(2_500)).asOf).toBe(asOf + 2_500);
  });

  it("counts sleep by the clock that advanced", () => {
    const hour = 3_600_000;
    const stoodStill = { wall: heardAt.wall + hour, steady: heardAt.steady + 10 };
    const setBack = { wall: heardAt.wall - hour, steady: heardAt.steady + 20_000 };
    expect(ageOf(proof, stoodStill).freshness).toBe("lost");
    expect(ageOf(proof, setBack).freshness).toBe("lost");
    expect(elapsedMs(heardAt, { wall: 0, steady: 0 })).toBe(0);
    expect([5_000, 750_000, 3_852_000].map(lengthText)).toEqual(["00:05", "12:30", "1:04:12"]);
  });
});

describe("D4 wallboards in turn", () => {
  it("come one after the other, or one alone where it was chosen", () => {
    expect(nextWallboard(["a", "b"], null, null)).toBe("a");
    expect(nextWallboard(["a", "b"], null, "a")).toBe("b");
    expect(nextWallboard(["a", "b"], null, "b")).toBe("a");
    expect(nextWallboard(["a", "b"], "b", "a")).toBe("b");
    expect(nextWallboard(["a", "b"], null, "gone")).toBe("a");
    expect(nextWallboard([], null, null)).toBeNull();
  });

  it("are dimmed in the hours that were chosen, also over midnight", () => {
    const night = { from: "22:00", to: "06:00" };
    const at = (hour: number) => new Date(2026, 10, 21, hour, 30);
    expect([21, 22, 23, 0, 5, 6].map((hour) => isDim(night, at(hour)))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(isDim({ from: "12:00", to: "13:00" }, at(12))).toBe(true);
    expect(isDim(null, at(0))).toBe(false);
  });
});

describe("D4 what a screen shows for weeks", () => {
  it("walks slowly around the middle, a step in a minute, and rests on every place alike", () => {
    const minutes = Array.from({ length: 16 }, (_, minute) => pixelShiftAt(minute * 60_000));
    for (const [index, [x, y]] of minutes.slice(1).entries()) {
      const [fromX = 0, fromY = 0] = minutes[index] ?? [];
      expect(Math.max(Math.abs(x - fromX), Math.abs(y - fromY))).toBe(1);
    }
    expect(new Set(minutes.map(String)).size).toBe(8);
    expect(pixelShiftAt(59_999)).toEqual(pixelShiftAt(0));
  });
});
