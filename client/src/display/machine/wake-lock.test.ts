import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { holdWakeLock } from "./wake-lock.ts";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
const locks: EventTarget[] = [];
const request = vi.fn(async () => {
  const lock = new EventTarget();
  locks.push(lock);
  return lock;
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", { wakeLock: { request } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("D4 keeps the screen awake, and again when it is seen again or the machine took the lock away", async () => {
  holdWakeLock();
  await vi.advanceTimersByTimeAsync(0);
  expect(request.mock.calls).toEqual([["screen"]]);

  page.visibilityState = "hidden";
  locks.at(-1)?.dispatchEvent(new Event("release"));
  page.dispatchEvent(new Event("visibilitychange"));
  expect(request).toHaveBeenCalledTimes(1);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(0);
  expect(request).toHaveBeenCalledTimes(2);

  locks.at(-1)?.dispatchEvent(new Event("release"));
  expect(request).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(request).toHaveBeenCalledTimes(3);
});

it("D4 works where nothing of the kind is granted", async () => {
  request.mockRejectedValueOnce(new Error("NotAllowedError"));
  holdWakeLock();
  vi.stubGlobal("navigator", {});
  holdWakeLock();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.visibilityState).toBe("visible");
});
