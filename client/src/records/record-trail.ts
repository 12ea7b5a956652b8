/** A record, by its table and its id. */
export interface RecordPlace {
  table: string;
  record: string;
}

/** Browsers limit what an entry of their history may hold. */
const TRAIL_MAX = 500;

/**
 * The state of a history entry that opens a record from a list: the list's records in their order, so that the panel can go
 * to the next and the previous one, also after a reload.
 */
export function trailState(places: readonly RecordPlace[]): { trail: RecordPlace[] } {
  const unique = new Map(
    places.map(({ table, record }) => [`${table}\n${record}`, { table, record }]),
  );
  return { trail: [...unique.values()].slice(0, TRAIL_MAX) };
}

/** The list that a history entry came from; null if it came from none. */
export function recordTrailOf(state: unknown): readonly RecordPlace[] | null {
  const trail = (state as { trail?: unknown } | null)?.trail;
  return Array.isArray(trail) ? trail : null;
}

/** The state of a history entry that opens a record, and on top of it one that it links to. */
export function linkedState(linked: RecordPlace): { linked: RecordPlace } {
  return { linked };
}

/** The linked record that a history entry opened; null if it opened none. */
export function linkedOf(state: unknown): RecordPlace | null {
  return (state as { linked?: RecordPlace } | null)?.linked ?? null;
}

/** The record before or after one in such a list; null at its ends. */
export function neighbourIn(
  trail: readonly RecordPlace[],
  { table, record }: RecordPlace,
  step: 1 | -1,
): RecordPlace | null {
  const at = trail.findIndex((place) => place.table === table && place.record === record);
  return at < 0 ? null : (trail[at + step] ?? null);
}

/** The state of a history entry that opens a copy, and the record that this is of. */
export function copyState(original: string): { copyOf: string } {
  return { copyOf: original };
}

/** The record that the opened one was copied from, in this panel. */
export function originalOf(state: unknown): string | null {
  return (state as { copyOf?: string } | null)?.copyOf ?? null;
}
