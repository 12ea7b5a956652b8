import { Button, type ButtonProps, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { FormProblem } from "./form-problem.tsx";
import { useSubmit } from "./use-submit.ts";

interface Props {
  /** Gets the values by the names of the inputs. What it throws is shown above them. */
  send: (typed: Record<string, string>) => Promise<void>;
  /** The text of the button. */
  action: string;
  button?: ButtonProps | undefined;
  /** The inputs. */
  children: ReactNode;
}

/** A form with one button. */
export function SubmitForm({ send, action, button, children }: Props) {
  const { submit, busy, problem } = useSubmit(send);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        {children}
        <Button type="submit" loading={busy} mt="xs" {...button}>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
