/** Who did something, by the id and the name at this time; null if nobody did, or they are unknown. */
export function toUserReference(
  id: string | null,
  name: string | null,
): { id: string; name: string } | null {
  return id === null || name === null ? null : { id, name };
}
