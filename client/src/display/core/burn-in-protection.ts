/** Protects screens that show the same picture for weeks from burn-in. */

const PIXEL_SHIFT_EVERY_MS = 60_000;
/** Shifts the picture slowly by a few pixels, so that nothing stays on the same pixels for weeks. */
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

/** How far the picture is shifted at a given time, in steps from the centre. */
export function pixelShiftAt(wallMs: number): readonly [number, number] {
  return PIXEL_SHIFTS[Math.floor(wallMs / PIXEL_SHIFT_EVERY_MS) % PIXEL_SHIFTS.length] ?? [0, 0];
}

/** Whether a time is within the dim hours, which may span midnight. */
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
