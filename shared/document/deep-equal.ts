/**
 * Whether two JSON values are equal. The order of keys is ignored, because Postgres' jsonb does not preserve
 * it. A property that is `undefined` counts as absent, because it is not sent.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (const [index, item] of a.entries()) if (!deepEqual(item, b[index])) return false;
    return true;
  }
  for (const key of Object.keys(a))
    if (!deepEqual(ownValue(a, key), ownValue(b, key))) return false;
  return Object.keys(b).every((key) => Object.hasOwn(a, key) || ownValue(b, key) === undefined);
}

/** Own properties only: a document may have a key called `constructor`. */
function ownValue(of: object, key: string): unknown {
  return Object.hasOwn(of, key) ? (of as Record<string, unknown>)[key] : undefined;
}
