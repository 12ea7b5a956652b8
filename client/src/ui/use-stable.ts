import { useState } from "react";
import { deepEqual } from "../../../shared/document/deep-equal.ts";

/**
 * Returns the previous object as long as the new one is deeply equal. The account is reloaded now and then, which must
 * not rebuild a mounted grid.
 */
export function useStable<T>(value: T): T {
  const [stable, setStable] = useState(value);
  if (deepEqual(stable, value)) return stable;
  setStable(value);
  return value;
}
