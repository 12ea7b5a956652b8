import { type FormEvent, useState } from "react";
import { problemText } from "./problem-text.ts";

/**
 * A form that is sent once at a time. `send` gets what was typed, by the names of the inputs; what
 * it throws becomes the problem, in words of `describe`.
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
