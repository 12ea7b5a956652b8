const HOUR_MS = 3_600_000;

/** From an hour before until an hour after so many hours from now, by the clock of this machine, which is that of its browsers. */
export function hoursAround(hours = 0): { from: string; to: string } {
  const time = (at: number) => new Date(Date.now() + at * HOUR_MS).toTimeString().slice(0, 5);
  return { from: time(hours - 1), to: time(hours + 1) };
}
