import { useRef } from "react";
import { deepEqual } from "../../../shared/document/deep-equal.ts";

/**
 * Returns the previous object as long as the new one is deeply equal. The account is reloaded now and then, which must
 * not rebuild a mounted grid.
 */
export function useStable<T>(value: T): T {
  const stable = useRef(value);
  if (!deepEqual(stable.current, value)) stable.current = value;
  return stable.current;
}
