import { useRef } from "react";

/**
 * The same object for as long as it says the same. The account is read anew now and then; what is
 * built on a part of it, such as a mounted grid, must not be built again for that.
 */
export function useStable<T>(value: T): T {
  const kept = useRef(value);
  if (kept.current !== value && JSON.stringify(kept.current) !== JSON.stringify(value)) {
    kept.current = value;
  }
  return kept.current;
}
