import { afterEach, expect, it, vi } from "vitest";
import { ShortLivedCache } from "./short-lived-cache.ts";

afterEach(() => void vi.useRealTimers());

it("forgets a result in its time also where the clock is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const cache = new ShortLivedCache<number>(1_000);
  let loads = 0;
  const read = () => cache.get("key", async () => ++loads);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(900);
  expect(await read()).toBe(1);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(200);
  expect(await read()).toBe(2);
});
