import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { signIn } from "../../sync/account.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { type Asked, SecondFactorForm } from "./second-factor-form.tsx";
import { signInProblem } from "./sign-in-problem.ts";

interface Props {
  /** Given when a session ended under an open page: only the same person may take it up again. */
  email?: string;
}

/** Signs in. Says why it didn't work, how long to wait, and asks for a second factor where one is on. */
export function SignInForm({ email }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null);
  if (asked) return <SecondFactorForm asked={asked} onBack={() => setAsked(null)} />;
  return <PasswordForm email={email} onAsked={setAsked} />;
}

function PasswordForm(props: { email: string | undefined; onAsked: (asked: Asked) => void }) {
  const { email, onAsked } = props;
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null);
  const { submit, busy, problem } = useSubmit(async (typed) => {
    setPasskeyProblem(null);
    const credentials = { email: email ?? typed.email ?? "", password: typed.password ?? "" };
    await signIn(credentials).catch((error) => {
      const methods = methodsOf(error);
      if (!methods) throw error;
      onAsked({ ...credentials, methods });
    });
  }, signInProblem);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem ?? passkeyProblem} />
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          size="md"
          required
          withAsterisk={false}
          {...(email ? { value: email, readOnly: true } : { autoFocus: true })}
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          size="md"
          required
          withAsterisk={false}
          autoFocus={email !== undefined}
        />
        <Button type="submit" size="md" fullWidth loading={busy} mt="xs">
          Sign in
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
