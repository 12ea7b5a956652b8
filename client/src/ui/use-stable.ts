import { useRef } from "react";
import { deepEqual } from "../../../shared/document/deep-equal.ts";

/**
 * The same object for as long as it says the same. The account is read anew now and then; what is
 * built on a part of it, such as a mounted grid, must not be built again for that.
 */
export function useStable<T>(value: T): T {
  const stable = useRef(value);
  if (!deepEqual(stable.current, value)) stable.current = value;
  return stable.current;
}
