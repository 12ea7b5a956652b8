import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { boundMessages } from "./bound-messages.ts";

describe("notifications of the database", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function listen() {
    const received: string[] = [];
    const receive = boundMessages(
      (payload) => received.push(payload),
      () => received.push("all"),
    );
    return { heard: received, receive };
  }

  it("are each handled at once", () => {
    const { heard: received, receive } = listen();
    for (let n = 0; n < 50; n += 1) receive(`user:${n % 3}`);
    expect(received).toHaveLength(50);
    vi.advanceTimersByTime(5_000);
    expect(received).toHaveLength(50);
  });

  it("are replaced by one look-up if too many arrive", () => {
    const { heard: received, receive } = listen();
    for (let n = 0; n < 100_000; n += 1) receive(`user:${n}`);
    expect(received).toHaveLength(50);
    vi.advanceTimersByTime(100);
    expect(received).toHaveLength(51);
    expect(received.at(-1)).toBe("all");
    vi.advanceTimersByTime(5_000);
    receive("user:1");
    expect(received.at(-1)).toBe("user:1");
  });

  it("are handled a bounded number of times while a flood lasts, and the last one is not lost", () => {
    const { heard: received, receive } = listen();
    for (let ms = 0; ms < 10_000; ms += 1) {
      for (let n = 0; n < 10; n += 1) receive("user:1");
      vi.advanceTimersByTime(1);
    }
    expect(received.length).toBeLessThan(11 * 51);
    const before = received.length;
    receive("user:2");
    vi.advanceTimersByTime(5_000);
    expect(received.slice(before)).toContain("all");
  });
});
