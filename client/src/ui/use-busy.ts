import { useState } from "react";
import { toastProblem } from "./toast.tsx";

/** Runs an action whose button is busy meanwhile. A toast says why it failed. */
export function useBusy() {
  const [isBusy, setBusy] = useState(false);
  const run = async (action: () => Promise<void>) => {
    setBusy(true);
    await action().catch(toastProblem);
    setBusy(false);
  };
  return { isBusy, run };
}
