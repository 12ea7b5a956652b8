import { Button, Loader, Stack } from "@mantine/core";
import { useEffect, useState } from "react";
import type { PasswordResetInfo } from "../../../../shared/protocol/password.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { readPasswordReset, resetPassword } from "../../sync/calls/my-security.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { NewPasswordInput } from "../../ui/new-password-input.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { tokenOfAddress } from "../../ui/token-of-address.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { useTitle } from "../../ui/use-title.ts";

type Reading = { info: PasswordResetInfo } | { problem: string } | null;

/** Sets a new password by a reset link. The user signs in afterwards. */
export function PasswordResetScreen() {
  useTitle(messages.newPassword());
  const token = tokenOfAddress(location) ?? "";
  const [reading, setReading] = useState<Reading>(null);
  const [done, setDone] = useState(false);
  useEffect(() => {
    readPasswordReset(token).then(
      (info) => setReading({ info }),
      (error) => setReading({ problem: problemText(error) }),
    );
  }, [token]);
  if (done) {
    return (
      <SignInLayout title={messages.passwordChanged()} lead={messages.signedOutEverywhere()}>
        <Button component="a" href="/login" size="md" fullWidth>
          {messages.signIn()}
        </Button>
      </SignInLayout>
    );
  }
  if (!reading) {
    return (
      <SignInLayout title={messages.newPassword()}>
        <Loader size="sm" aria-label={messages.loading()} />
      </SignInLayout>
    );
  }
  if ("problem" in reading) {
    return (
      <SignInLayout title={messages.resetInvalid()} lead={reading.problem}>
        {messages.askForReset()}
      </SignInLayout>
    );
  }
  const { email } = reading.info;
  return (
    <SignInLayout title={messages.newPassword()} lead={messages.resetLead({ email })}>
      <ResetForm token={token} email={email} onDone={() => setDone(true)} />
    </SignInLayout>
  );
}

function ResetForm(props: { token: string; email: string; onDone: () => void }) {
  const { submit, busy, problem } = useSubmit(async ({ password = "" }) => {
    await resetPassword(props.token, password);
    props.onDone();
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        {/* names the account for password managers */}
        <input type="hidden" name="email" autoComplete="username" value={props.email} />
        <NewPasswordInput name="password" label={messages.newPassword()} autoFocus />
        <Button type="submit" size="md" fullWidth loading={busy} mt="xs">
          {messages.changePassword()}
        </Button>
      </Stack>
    </form>
  );
}
