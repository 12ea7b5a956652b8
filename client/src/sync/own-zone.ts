import { isZone } from "../../../shared/filter/zone.ts";

/**
 * Where the days of who sits here begin, as `Europe/Lisbon`; `$today` of a view means those. A browser
 * that does not know where it is counts by UTC.
 */
export function ownZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isZone(timeZone) ? timeZone : "UTC";
}
