import { Button, type ButtonProps, Stack } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import { FormProblem } from "./form-problem.tsx";
import { problemText } from "./problem-text.ts";
import { PROOF_INPUT, useSubmit } from "./use-submit.ts";

interface Props {
  /** Gets the values by the names of the inputs. What it throws is shown above them. */
  send: (typed: Record<string, string>) => Promise<void>;
  /** Closes the form after success. Not called if it was closed meanwhile. */
  onDone?: (() => void) | undefined;
  /** The text of the button. */
  action: string;
  button?: ButtonProps | undefined;
  /** The inputs. */
  children: ReactNode;
}

const ProofInput = lazy(async () => ({ default: (await import("./proof-input.tsx")).ProofInput }));

/** A form with one button. It asks for the password where the server wants to know who it is. */
export function SubmitForm({ send, onDone, action, button, children }: Props) {
  const { submit, busy, problem, needsProof } = useSubmit(send, problemText, onDone);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} focus={!needsProof} />
        {children}
        {needsProof && (
          <Suspense fallback={null}>
            <ProofInput name={PROOF_INPUT} />
          </Suspense>
        )}
        <Button type="submit" loading={busy} mt="xs" {...button}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
