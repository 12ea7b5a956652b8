/** A word for the time of day, and the first name: the clock is the reader's own. */
export function greeting(now: Date, name: string): string {
  const hour = now.getHours();
  const first = name.trim().split(/\s+/)[0] ?? name;
  if (hour >= 5 && hour < 12) return `Good morning, ${first}`;
  if (hour >= 12 && hour < 18) return `Good afternoon, ${first}`;
  return `Good evening, ${first}`;
}
