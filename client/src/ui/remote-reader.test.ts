import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { RemoteReader } from "./remote-reader.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A reader whose calls are answered by the test, and what it has reported. */
function createReader() {
  const calls: PromiseWithResolvers<string>[] = [];
  const reported: unknown[] = [];
  const reader = new RemoteReader<string>({
    load: () => {
      const call = Promise.withResolvers<string>();
      calls.push(call);
      return call.promise;
    },
    onData: (data) => reported.push(data),
    onError: (error) => reported.push(error),
  });
  const answer = async (at: number, data: string) => {
    calls[at]?.resolve(data);
    await vi.advanceTimersByTimeAsync(0);
  };
  const refuse = async (at: number, error: unknown) => {
    calls[at]?.reject(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { reader, calls, reported, answer, refuse };
}

test("reports every answer although requests are more frequent, and reads once more after it", async () => {
  const { reader, calls, reported, answer, refuse } = createReader();
  reader.restart();
  reader.request();
  reader.request();
  expect(calls).toHaveLength(1);
  await answer(0, "first");
  expect([calls.length, reported]).toEqual([2, ["first"]]);
  const failure = new Error("failed");
  reader.request();
  await refuse(1, failure);
  expect([calls.length, reported]).toEqual([3, ["first", failure]]);
  await answer(2, "third");
  expect([calls.length, reported]).toEqual([3, ["first", failure, "third"]]);
});

test("drops the answer of a call that was under way when it is restarted or stopped", async () => {
  const { reader, calls, reported, answer } = createReader();
  reader.restart();
  reader.request();
  reader.restart();
  await answer(0, "outdated");
  await answer(1, "current");
  expect([calls.length, reported]).toEqual([2, ["current"]]);
  reader.request();
  reader.stop();
  await answer(2, "late");
  expect(reported).toEqual(["current"]);
});

test("tries again after a transient refusal, until it is stopped", async () => {
  const { reader, calls, refuse } = createReader();
  reader.restart();
  await refuse(0, new Refusal("unavailable"));
  await vi.runOnlyPendingTimersAsync();
  expect(calls).toHaveLength(2);
  await refuse(1, new Refusal("unavailable"));
  reader.stop();
  await vi.runOnlyPendingTimersAsync();
  expect(calls).toHaveLength(2);
  reader.request();
  await refuse(2, new Refusal("forbidden"));
  await vi.runOnlyPendingTimersAsync();
  expect(calls).toHaveLength(3);
});
