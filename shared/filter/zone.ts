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

const canonical = new Map<string, string>();
const CANONICAL_MAX = 2_000;

/** The one spelling of a zone that `isZone` knows: `eUROPE/berlin` is `Europe/Berlin`. */
export function canonicalZone(zone: string): string {
  const known = canonical.get(zone);
  if (known !== undefined) return known;
  const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions();
  if (canonical.size >= CANONICAL_MAX) canonical.clear();
  canonical.set(zone, timeZone);
  return timeZone;
}

/**
 * Where the days of who sits here begin, as `Europe/Lisbon`: of a browser's person, of a server's operator.
 * A machine that does not know where it is counts by UTC.
 */
export function ownZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isZone(timeZone) ? timeZone : "UTC";
}
