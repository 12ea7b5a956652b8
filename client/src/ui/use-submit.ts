import { type FormEvent, useState } from "react";
import { problemText } from "./problem-text.ts";

/**
 * Submits a form, once at a time. `send` gets the values by the names of the inputs; `describe` words what it throws.
 */
export function useSubmit(
  send: (typed: Record<string, string>) => Promise<void>,
  describe: (error: unknown) => string = problemText,
) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    try {
      await send(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])));
    } catch (error) {
      setProblem(describe(error));
    }
    setBusy(false);
  };
  return { submit, busy, problem };
}
