import { isTransient } from "../../../../shared/protocol/errors.ts";
import type { Clock } from "../clock.ts";

export interface BackoffRange {
  baseMs: number;
  maxMs: number;
}

/** The shortest wait, so that a refusal at once never becomes a busy loop. */
const MIN_WAIT_MS = 50;

/**
 * Full jitter: anywhere between the floor and a bound that doubles with every attempt, so that a
 * thousand screens that fell together do not come back together.
 */
export function backoffMs(attempt: number, range: BackoffRange, clock: Clock): number {
  const bound = Math.min(range.maxMs, range.baseMs * 2 ** Math.min(attempt, 20));
  return Math.max(MIN_WAIT_MS, Math.round(clock.random() * bound));
}

/**
 * Before another try of what was refused: what the server asked for, never less, and longer the more often it
 * was in vain. `retryAfter` of a refusal travels in seconds, as HTTP has it.
 */
export function retryMs(
  attempt: number,
  { retryAfter }: Readonly<Record<string, unknown>>,
  range: BackoffRange,
  clock: Clock,
): number {
  const wait = backoffMs(attempt, range, clock);
  if (typeof retryAfter !== "number" || !(retryAfter >= 0)) return wait;
  return Math.max(wait, serverDelayMs(retryAfter * 1_000, clock));
}

/** The server has not stored what it failed on, so an edit may be sent again, but not for ever. */
const INTERNAL_TRIES_MAX = 3;

/** Whether an edit is sent again that was refused for this reason, after so many attempts before. */
export function isSentAgain(code: string, attempts: number): boolean {
  return isTransient(code) || (code === "internal" && attempts < INTERNAL_TRIES_MAX);
}

/** What the server asked for, never less, with up to a quarter more. */
export function serverDelayMs(delayMs: number, clock: Clock): number {
  return Math.max(MIN_WAIT_MS, Math.round(delayMs * (1 + clock.random() / 4)));
}
