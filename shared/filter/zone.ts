import { memoize } from "../memoize.ts";

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

const SPELLINGS_MAX = 2_000;

/**
 * The canonical spelling of a zone that `isZone` knows: `eUROPE/berlin` is `Europe/Berlin`. Memoized, because the look-up
 * costs more than everything else about a zone.
 */
export const canonicalZone = memoize(
  (timeZone: string) => new Intl.DateTimeFormat("en-US", { timeZone }).resolvedOptions().timeZone,
  SPELLINGS_MAX,
);

/**
 * The time zone of this machine, such as `Europe/Lisbon`: that of the browser or of the server. UTC if the machine has
 * none.
 */
export function ownZone(): string {
  return zoneAt(Math.floor(Date.now() / ZONE_FOR_MS));
}

/** How long the zone counts as unchanged: the look-up is slow, and rows and columns ask for each of their values. */
const ZONE_FOR_MS = 5_000;

const zoneAt = memoize((_time: number) => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isZone(timeZone) ? timeZone : "UTC";
}, 1);
