/** A zone in which it is about noon: whenever a test runs, its day has begun long ago and does not end soon, and no hour of a rule is near. */
export function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}
