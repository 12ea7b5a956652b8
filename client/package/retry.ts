import { type ErrorCode, Refusal } from "../../shared/protocol/errors.ts";
import { systemClock } from "../src/sync/clock.ts";
import { retryMs } from "../src/sync/connection/backoff.ts";
import type { Ending } from "./ending.ts";

/** What may end the attempts before there is an answer. */
type End = Pick<Ending, "isOver" | "listen">;

const RANGE = { baseMs: 500, maxMs: 15_000 };
const passing: readonly ErrorCode[] = ["unavailable", "rate_limited"];

/**
 * Makes a call, and again with growing pauses while the server does not answer or asks to wait. Rejects with the last
 * refusal once the connection is over.
 */
export async function untilAnswered<Answer>(
  ending: End,
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const isPassing = error instanceof Refusal && passing.includes(error.code);
      if (!isPassing || ending.isOver) throw error;
      await pause(retryMs(attempt, error.detail, RANGE, systemClock), ending);
    }
  }
}

/** The end of a time. A pause that would reach beyond it ends with it. */
export function endAfter(ms: number): End & Disposable {
  const listeners = new Set<() => void>();
  let isOver = ms <= 0;
  const cancel = systemClock.after(ms, () => {
    isOver = true;
    for (const listener of [...listeners]) listener();
  });
  return {
    get isOver() {
      return isOver;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    [Symbol.dispose]: cancel,
  };
}

/** Ends early with the connection. */
function pause(ms: number, ending: End): Promise<void> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const end = () => {
      for (const stop of stops) stop();
      resolve();
    };
    stops.push(systemClock.after(ms, end), ending.listen(end));
  });
}
