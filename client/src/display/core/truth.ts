import { defaultLimits } from "../../../../shared/limits.ts";
import type { Freshness } from "../../tiles/freshness.ts";

/**
 * What can honestly be said of the figures on the screen. Quiet is not stale: the server proves every
 * few seconds that nothing has changed; where the proof stays away, the screen says so by itself.
 */

/** A proof is on its way every 2.5 s: younger than this part of what is allowed, the figures are those of now. */
const NOW_PART = 0.4;
/** From here on nobody vouches for the figures; well within the time that is promised. */
const LOST_PART = 0.8;

export interface Proof {
  /** The figures are right for all that was committed up to then, by the server's clock. */
  asOf: number;
  /** The server's clock when it said so. */
  serverNow: number;
  /** This machine's clocks when it was heard: the wall clock, and the one that never jumps. */
  heardAt: Moment;
}

/** Both clocks of a machine. One may be set at any time, the other may stand still in sleep. */
export interface Moment {
  wall: number;
  steady: number;
}

export interface Truth {
  freshness: Freshness;
  /** How old the figures are, in milliseconds. */
  ageMs: number;
}

/**
 * How much time has passed, whatever was done to a clock meanwhile: the longer of both. After a jump
 * forward the figures count as old until the next proof, which sets it right.
 */
export function elapsedMs(from: Moment, to: Moment): number {
  return Math.max(to.steady - from.steady, to.wall - from.wall, 0);
}

/** The server's clock as far as it is known. */
export function serverTime({ serverNow, heardAt }: Proof, now: Moment): number {
  return serverNow + elapsedMs(heardAt, now);
}

/** `staleMs`: figures that were not proven for so long are to be called lost by then. */
export function truthOf(
  proof: Proof | null,
  now: Moment,
  staleMs: number = defaultLimits.DISPLAY_STALE_MS,
): Truth {
  if (!proof) return { freshness: "lost", ageMs: Number.POSITIVE_INFINITY };
  const ageMs = Math.max(serverTime(proof, now) - proof.asOf, 0);
  const freshness =
    ageMs < staleMs * NOW_PART ? "live" : ageMs < staleMs * LOST_PART ? "behind" : "lost";
  return { freshness, ageMs };
}

/** 00:42, 12:05, 3:04:12: how long something has lasted. */
export function lengthText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const hours = Math.floor(seconds / 3_600);
  const two = (value: number) => String(value).padStart(2, "0");
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
