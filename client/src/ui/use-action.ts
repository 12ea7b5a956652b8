import { useState } from "react";
import { problemText } from "./problem-text.ts";
import { toastProblem } from "./toast.tsx";

/**
 * Runs an action, once at a time. `describe` words what it throws, which is its problem until it runs again; null if
 * that is shown elsewhere.
 */
export function useAction(describe: (error: unknown) => string | null = problemText) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (action: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      await action();
    } catch (error) {
      setProblem(describe(error));
    }
    setBusy(false);
  };
  return { isBusy, problem, run };
}

/** Runs an action whose button is busy meanwhile. A toast says why it failed. */
export function useBusy() {
  return useAction((error) => {
    toastProblem(error);
    return null;
  });
}
