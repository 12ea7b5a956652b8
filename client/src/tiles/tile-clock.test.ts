import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TileClock } from "./tile-clock.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 10_250 });
});
afterEach(() => {
  vi.useRealTimers();
});

it("the clock of tiles calls back at each second of the server's time", () => {
  const clock = new TileClock();
  clock.setOffset(500);
  const times: number[] = [];
  const stop = clock.onSecond(() => times.push(clock.now()));
  vi.advanceTimersByTime(2_000);
  expect(times).toEqual([11_000, 12_000]);
  stop();
  vi.advanceTimersByTime(2_000);
  expect(times).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

it("the clock of tiles shows a corrected hour at once, and concerns no other clock", () => {
  const [wall, other] = [new TileClock(), new TileClock()];
  const called: string[] = [];
  wall.onSecond(() => called.push("wall"));
  other.onSecond(() => called.push("other"));
  wall.setOffset(3_600_000);
  wall.setOffset(3_600_040);
  expect(called).toEqual(["wall"]);
  expect(wall.now() - other.now()).toBe(3_600_040);
});
