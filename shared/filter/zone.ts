/**
 * Whether a text names a time zone that this machine knows. A bare offset (`+01:00`) is not a name: Postgres
 * reads it with the opposite sign.
 */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    canonicalZone(zone);
    return true;
  } catch {
    return false;
  }
}

/** Spellings that were looked up: that costs more than all else about a zone. */
const canonical = new Map<string, string>();
const CANONICAL_MAX = 2_000;

/** The canonical spelling of a zone that `isZone` knows: `eUROPE/berlin` is `Europe/Berlin`. */
export function canonicalZone(zone: string): string {
  const known = canonical.get(zone);
  if (known !== undefined) return known;
  const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions();
  if (canonical.size >= CANONICAL_MAX) canonical.clear();
  canonical.set(zone, timeZone);
  return timeZone;
}

/**
 * The local zone, as `Europe/Lisbon`: of the browser's user, or of the server's operator. UTC if the machine
 * has none.
 */
export function ownZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isZone(timeZone) ? timeZone : "UTC";
}
