import { useEffect, useState } from "react";
import type { LookUp } from "./look-up.ts";

/** Renders again when requested labels have arrived. */
export function useLabelUpdates(lookUp: LookUp): void {
  const [, rerender] = useState(0);
  useEffect(() => lookUp.onArrived(() => rerender((count) => count + 1)), [lookUp]);
}
