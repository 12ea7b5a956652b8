import { Button, Loader, Stack } from "@mantine/core";
import { useEffect, useState } from "react";
import type { PasswordResetInfo } from "../../../../shared/protocol/password.ts";
import { readPasswordReset, resetPassword } from "../../sync/calls/my-security.ts";
import { Door } from "../../ui/door.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { NewPasswordInput } from "../../ui/new-password-input.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { tokenOfAddress } from "../../ui/token-of-address.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { useTitle } from "../../ui/use-title.ts";

type Reading = { info: PasswordResetInfo } | { problem: string } | null;

/** Where a person who forgot the password chooses another. It signs nobody in: the door comes after. */
export function PasswordResetScreen() {
  useTitle("New password");
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
      <Door title="Your password is changed" lead="You are signed out everywhere.">
        <Button component="a" href="/login" size="md" fullWidth>
          Sign in
        </Button>
      </Door>
    );
  }
  if (!reading) {
    return (
      <Door title="New password">
        <Loader size="sm" aria-label="Loading" />
      </Door>
    );
  }
  if ("problem" in reading) {
    return (
      <Door title="This link doesn't open" lead={reading.problem}>
        Ask the person who sent it for a new one.
      </Door>
    );
  }
  const { email } = reading.info;
  return (
    <Door title="New password" lead={`For ${email}. A new one signs you out everywhere.`}>
      <ResetForm token={token} email={email} onDone={() => setDone(true)} />
    </Door>
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
        {/* so that a password manager knows whose password it keeps */}
        <input type="hidden" name="email" autoComplete="username" value={props.email} />
        <NewPasswordInput name="password" label="New password" autoFocus />
        <Button type="submit" size="md" fullWidth loading={busy} mt="xs">
          Change the password
        </Button>
      </Stack>
    </form>
  );
}
