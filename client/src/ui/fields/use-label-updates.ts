import { useEffect, useState } from "react";
import type { LookUp } from "./look-up.ts";

/** Renders again when labels have arrived that were not known before. */
export function useLabelUpdates(lookUp: LookUp): void {
  const [, rerender] = useState(0);
  useEffect(() => lookUp.onArrived(() => rerender((count) => count + 1)), [lookUp]);
}
