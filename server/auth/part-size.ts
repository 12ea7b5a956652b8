import { setTimeout as sleep } from "node:timers/promises";

/** While others are active, all long work of a user together takes this part of the time: most of others' work finds a gap. */
const PART_OF_TIME = 1 / 3;
/** A part may have waited for a lock all the while, which is nobody's loss. */
const REST_MAX_MS = 1_000;

/** A part of long work that was done. */
export interface DonePart<Result> {
  result: Result;
  /** How long it took, without waiting and rest. */
  ms: number;
  /** Whether others were active. */
  isShared: boolean;
}

/** Bounds of the parts of long work. */
export interface PartBounds {
  /** Units of a part while nobody else is active. */
  most: number;
  /** Units of the first part, and of every one while others are active, unless `most` is less. */
  least: number;
  /** How long a part may take while others are active: about as long their work waits for it. */
  targetMs: number;
}

/** How many units of long work to do together after a part that took so long. */
export function nextPartSize(
  { most, least, targetMs }: PartBounds,
  { units, ms, isShared }: { units: number; ms: number; isShared: boolean },
): number {
  if (!isShared) return most;
  const fitting = Math.floor((targetMs * units) / ms);
  return Math.min(most, Math.max(least, fitting));
}

/** Parts of long work that are being done or rest, by user. */
const underWay = new Map<string, number>();

/**
 * Does one part of a user's long work, and rests after it if others are active, which is found out after the part. The more
 * work of one user is under way, the longer each rests.
 */
export async function doPart<Result>(
  user: string,
  hasOthers: () => boolean | Promise<boolean>,
  part: () => Promise<Result>,
): Promise<DonePart<Result>> {
  count(user, 1);
  try {
    const started = performance.now();
    const result = await part();
    const ms = performance.now() - started;
    const isShared = await hasOthers();
    const rest = (ms * (underWay.get(user) ?? 1)) / PART_OF_TIME - ms;
    if (isShared) await sleep(Math.min(rest, REST_MAX_MS));
    return { result, ms, isShared };
  } finally {
    count(user, -1);
  }
}

function count(user: string, sign: 1 | -1): void {
  const parts = (underWay.get(user) ?? 0) + sign;
  if (parts > 0) underWay.set(user, parts);
  else underWay.delete(user);
}
