import { type FormEvent, useState } from "react";
import { isSessionEnd, problemText } from "./problem-text.ts";
import { toastFailure } from "./toast.tsx";
import { useIsMounted } from "./use-is-mounted.ts";

/**
 * Submits a form, once at a time. `send` gets the values by the names of the inputs; `describe` words what it throws,
 * which a toast shows if the form was closed meanwhile. `onDone` is called after success, unless it was: another dialog may be
 * open by then.
 */
export function useSubmit(
  send: (typed: Record<string, string>) => Promise<void>,
  describe: (error: unknown) => string = problemText,
  onDone?: () => void,
) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOpen = useIsMounted();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    try {
      await send(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])));
      if (isOpen.current) onDone?.();
    } catch (error) {
      if (isOpen.current) setProblem(describe(error));
      else if (!isSessionEnd(error)) toastFailure(describe(error));
    }
    setBusy(false);
  };
  return { submit, busy, problem };
}
