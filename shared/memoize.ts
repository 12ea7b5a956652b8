/**
 * A function that makes each value once and remembers it by its key. With a bound, everything is forgotten once that many are
 * held: for keys that come from outside.
 */
export function memoize<Key = void, Value = unknown>(
  make: (key: Key) => Value,
  max = Number.POSITIVE_INFINITY,
): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (made.size >= max) made.clear();
    made.set(key, value);
    return value;
  };
}
