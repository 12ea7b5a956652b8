import { type ErrorCode, Refusal } from "../../shared/protocol/errors.ts";
import { systemClock } from "../src/sync/clock.ts";
import { retryMs } from "../src/sync/connection/backoff.ts";
import type { Ending } from "./ending.ts";

const RANGE = { baseMs: 500, maxMs: 15_000 };
const passing: readonly ErrorCode[] = ["unavailable", "rate_limited"];

/**
 * Makes a call, and again with growing pauses while the server does not answer or asks to wait. Rejects with the last
 * refusal once the connection is over.
 */
export async function untilAnswered<Answer>(
  ending: Ending,
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

/** Ends early with the connection. */
function pause(ms: number, ending: Ending): Promise<void> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const end = () => {
      for (const stop of stops) stop();
      resolve();
    };
    stops.push(systemClock.after(ms, end), ending.listen(end));
  });
}
