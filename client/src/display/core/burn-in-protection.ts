/** What spares a screen that shows the same for weeks. */

const PIXEL_SHIFT_EVERY_MS = 60_000;
/** A slow walk of a few pixels around the middle: nothing stands on the same pixels for weeks. */
const PIXEL_SHIFTS: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
];

/** Where the picture stands in a minute, in steps beside the middle. */
export function pixelShiftAt(wallMs: number): readonly [number, number] {
  return PIXEL_SHIFTS[Math.floor(wallMs / PIXEL_SHIFT_EVERY_MS) % PIXEL_SHIFTS.length] ?? [0, 0];
}

/** Whether the clock on the wall stands within dim hours, also over midnight. */
export function isDim(dim: { from: string; to: string } | null, at: Date): boolean {
  if (!dim) return false;
  const minutes = at.getHours() * 60 + at.getMinutes();
  const [from, to] = [minutesOf(dim.from), minutesOf(dim.to)];
  return from <= to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
