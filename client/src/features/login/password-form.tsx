import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { signIn } from "../../sync/calls/account.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import type { PendingSignIn } from "./second-factor-form.tsx";
import { signInProblem } from "./sign-in-problem.ts";
import { useTypedAgain } from "./use-typed-again.ts";

interface Props {
  /** Given after a session ended under an open page: only the same user may sign in again. */
  email?: string | undefined;
  /** What was typed before, by somebody who has come back from the second step. */
  typed?: string | undefined;
  /** The password was right, and more is asked. */
  onSecondFactor: (pending: PendingSignIn) => void;
}

/** The first step of signing in. Explains a refusal and how long to wait. */
export function PasswordForm({ email, typed: previousEmail, onSecondFactor }: Props) {
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null);
  const { submit, busy, problem } = useSubmit(async (typed) => {
    setPasskeyProblem(null);
    const credentials = { email: email ?? typed.email ?? "", password: typed.password ?? "" };
    await signIn(credentials).catch((error) => {
      const methods = methodsOf(error);
      if (!methods) throw error;
      onSecondFactor({ ...credentials, methods });
    });
  }, signInProblem);
  const password = useTypedAgain(problem);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem ?? passkeyProblem} focus={problem === null} />
        <TextInput
          name="email"
          type="email"
          label={messages.email()}
          autoComplete="username"
          size="md"
          required
          {...(email ? { value: email, readOnly: true } : { autoFocus: !previousEmail })}
          {...(previousEmail ? { defaultValue: previousEmail } : {})}
        />
        <PasswordInput
          ref={password}
          name="password"
          label={messages.password()}
          visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
          autoComplete="current-password"
          size="md"
          required
          autoFocus={Boolean(email ?? previousEmail)}
        />
        <Button type="submit" size="md" fullWidth loading={busy} mt="xs">
          {messages.signIn()}
        </Button>
        <PasskeyButton onProblem={setPasskeyProblem} />
      </Stack>
    </form>
  );
}

/** What a second factor may be; null where something else was refused. */
function methodsOf(error: unknown): string[] | null {
  if (!(error instanceof Refusal) || error.code !== "second_factor_required") return null;
  const { methods } = error.detail;
  return Array.isArray(methods) ? methods.map(String) : [];
}
