import { useEffect, useState } from "react";
import type { LookUp } from "./look-up.ts";

/** Renders again when labels have arrived that were not known before. */
export function useArrivals(lookUp: LookUp): void {
  const [, renew] = useState(0);
  useEffect(() => lookUp.onArrived(() => renew((count) => count + 1)), [lookUp]);
}
