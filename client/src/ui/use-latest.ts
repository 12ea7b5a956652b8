import { type RefObject, useInsertionEffect, useRef } from "react";

/**
 * The value of the last render that was committed, for callbacks that outlive it. Written by the earliest effect, and
 * never while React renders, because a render may be thrown away.
 */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
