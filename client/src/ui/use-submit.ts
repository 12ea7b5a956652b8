import type { FormEvent } from "react";
import { isSessionEnd, problemText } from "./problem-text.ts";
import { toastFailure } from "./toast.tsx";
import { useAction } from "./use-action.ts";
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
  const isOpen = useIsMounted();
  const { isBusy, problem, run } = useAction((error) => {
    if (isOpen.current) return describe(error);
    if (!isSessionEnd(error)) toastFailure(describe(error));
    return null;
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = [...new FormData(event.currentTarget)];
    return run(async () => {
      await send(Object.fromEntries(data.map(([name, value]) => [name, String(value)])));
      if (isOpen.current) onDone?.();
    });
  };
  return { submit, busy: isBusy, problem };
}
