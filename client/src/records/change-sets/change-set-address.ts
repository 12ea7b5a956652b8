/** The address of a change set's screen. */
export function changeSetAddress(id: string): string {
  return `/changes/${encodeURIComponent(id)}`;
}
