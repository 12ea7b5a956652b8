/** The name of a time zone as users read it. */
export function zoneText(zone: string): string {
  return zone.replaceAll("_", " ");
}

/** The zones that this browser supports, UTC first, and another one that it may not. */
export function zonesWith(stored: string): string[] {
  const known = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);
  return known.has(stored) ? [...known] : [stored, ...known];
}
