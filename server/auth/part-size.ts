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
