import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { holdWakeLock } from "./wake-lock.ts";

const buildPage = () => Object.assign(new EventTarget(), { visibilityState: "visible" });
let page: ReturnType<typeof buildPage>;
const locks: EventTarget[] = [];
const request = vi.fn(async () => {
  const lock = new EventTarget();
  locks.push(lock);
  return lock;
});

beforeEach(() => {
  request.mockClear();
  page = buildPage();
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

it("D4 asks again for a lock that was taken away and then refused, as on a low battery", async () => {
  holdWakeLock();
  await vi.advanceTimersByTimeAsync(0);
  const held = request.mock.calls.length;
  request.mockRejectedValueOnce(new Error("NotAllowedError"));
  locks.at(-1)?.dispatchEvent(new Event("release"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(request).toHaveBeenCalledTimes(held + 1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(request).toHaveBeenCalledTimes(held + 2);

  // Seen again just before it is due, it is requested once.
  page.visibilityState = "hidden";
  locks.at(-1)?.dispatchEvent(new Event("release"));
  await vi.advanceTimersByTimeAsync(9_999);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(request).toHaveBeenCalledTimes(held + 3);
});

it("D4 works where nothing of the kind is granted", async () => {
  request.mockRejectedValueOnce(new Error("NotAllowedError"));
  holdWakeLock();
  vi.stubGlobal("navigator", {});
  holdWakeLock();
  await vi.advanceTimersByTimeAsync(0);
  expect(page.visibilityState).toBe("visible");
});
