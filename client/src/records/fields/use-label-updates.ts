import { useEffect, useState } from "react";
import { useLookUp } from "./look-up.ts";

/** Renders again when requested labels have arrived. Returns how often that was, for memoised parts. */
export function useLabelUpdates(): number {
  const lookUp = useLookUp();
  const [count, setCount] = useState(0);
  useEffect(() => lookUp.onArrived(() => setCount((before) => before + 1)), [lookUp]);
  return count;
}
