import { expect, it, onTestFinished, vi } from "vitest";
import { pollEvery } from "./poll-every.ts";

it("polls now and at every interval, also after a failure, and begins no poll before the last has ended", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const polls: PromiseWithResolvers<void>[] = [];
  const poll = () => {
    const polled = Promise.withResolvers<void>();
    polls.push(polled);
    return polled.promise;
  };
  const stop = pollEvery(1_000, poll);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(polls).toHaveLength(1);
  polls[0]?.reject(new Error("away"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(polls).toHaveLength(2);
  polls[1]?.resolve();
  stop();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(polls).toHaveLength(2);
});
