/**
 * Whether a text names a time zone that this machine's calendar knows. A bare offset (`+01:00`) is no
 * name: Postgres reads it the other way round.
 */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
