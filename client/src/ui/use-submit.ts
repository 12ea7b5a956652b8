import { type FormEvent, useState } from "react";
import { rest } from "../transport/rest/rest.ts";
import { asksForProof, isSessionEnd, problemText } from "./problem-text.ts";
import { toastFailure } from "./toast.tsx";
import { useAction } from "./use-action.ts";
import { useIsMounted } from "./use-is-mounted.ts";

/** The name of the input for the password, once the server asks who it is. */
export const PROOF_INPUT = "proof";

/**
 * Submits a form, once at a time. `send` gets the values by the names of the inputs; `describe` words what it throws,
 * which a toast shows if the form was closed meanwhile. `onDone` is called after success, unless it was: another dialog may be
 * open by then. Where the server asks for a proof of who it is, `needsProof` is true until one was sent.
 */
export function useSubmit(
  send: (typed: Record<string, string>) => Promise<void>,
  describe: (error: unknown) => string = problemText,
  onDone?: () => void,
) {
  const isOpen = useIsMounted();
  const [needsProof, setNeedsProof] = useState(false);
  const { isBusy, problem, run } = useAction((error) => {
    if (asksForProof(error)) setNeedsProof(true);
    // What asks for the proof says so, beside its inputs.
    if (isOpen.current) return asksForProof(error) ? null : describe(error);
    if (!isSessionEnd(error)) toastFailure(describe(error));
    return null;
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = [...new FormData(event.currentTarget)];
    return run(async () => {
      const texts = data.map(([name, value]) => [name, String(value)]);
      const { [PROOF_INPUT]: password, ...typed } = Object.fromEntries(texts);
      if (password) await rest("POST /session/proof", { body: { password } });
      setNeedsProof(false);
      await send(typed);
      if (isOpen.current) onDone?.();
    });
  };
  return { submit, busy: isBusy, problem, needsProof };
}
